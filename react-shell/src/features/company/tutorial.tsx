import { useOfflinePages } from "../../shared/offline";
import { useScheduleLab } from "../../shared/rust-lab";
import { textPage } from "./text-page";

const TutorialText = textPage("tutorial", () => "Setup Tutorial");
const LabText = textPage("schedule-lab", () => "Schedule Lab");

/** The setup tutorial, with the Schedule Lab. */
export function Tutorial() {
  useScheduleLab();
  useOfflinePages();
  return <TutorialText />;
}

/** The Schedule Lab on its own page. */
export function ScheduleLab() {
  useScheduleLab();
  useOfflinePages();
  return <LabText />;
}
