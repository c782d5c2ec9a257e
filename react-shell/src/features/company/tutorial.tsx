import { useLightDialog } from "../../shared/light/use-light-dialog";
import { useOfflinePages } from "../../shared/offline";
import { useScheduleLab } from "../../shared/rust-lab";
import { textPage } from "./text-page";

const TutorialText = textPage("tutorial", () => "Setup Tutorial");
const LabText = textPage("schedule-lab", () => "Schedule Lab");

/** The setup tutorial, with the Schedule Lab. */
export function Tutorial() {
  const { open, dialog } = useLightDialog();
  useScheduleLab(open);
  useOfflinePages();
  return (
    <>
      <TutorialText />
      {dialog}
    </>
  );
}

/** The Schedule Lab on its own page. */
export function ScheduleLab() {
  const { open, dialog } = useLightDialog();
  useScheduleLab(open);
  useOfflinePages();
  return (
    <>
      <LabText />
      {dialog}
    </>
  );
}
