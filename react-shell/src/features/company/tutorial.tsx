import { useScheduleLab } from "../../shared/rust-lab";
import { textPage } from "./text-page";

const TutorialText = textPage("tutorial", () => "Setup Tutorial");

/** The setup tutorial, with the Schedule Lab. */
export function Tutorial() {
  useScheduleLab();
  return <TutorialText />;
}
