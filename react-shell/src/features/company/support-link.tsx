import { useRootData } from "../../shared/root-data";
import { TEXT_LINK } from "../../shared/ui/link";

export function SupportLink() {
  const { supportEmail } = useRootData().config;
  return (
    <a href={`mailto:${supportEmail}`} className={`${TEXT_LINK} break-words`}>
      {supportEmail}
    </a>
  );
}
