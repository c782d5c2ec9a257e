import { Prose } from "./prose";
import { SupportLink } from "./support-link";

export function Component() {
  return (
    <Prose title="Contact">
      <p>
        Write to <SupportLink />. A person reads it and answers, most often within one working day.
      </p>
      <p>If it is about an order, please tell us its number: it is on the order’s page and in your receipt.</p>
    </Prose>
  );
}
