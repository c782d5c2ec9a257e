import { useScheduleLab } from "../../shared/rust-lab";
import { textPage } from "./text-page";

const Words = textPage("tutorial", () => "Setup Tutorial");

/** How a light is set up, with the Lab in it. */
export function Tutorial() {
  useScheduleLab();
  return <Words />;
}
