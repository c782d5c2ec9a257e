import { useEffect, useState, type ReactNode } from "react";
import { useRootData } from "../root-data";
import { loadLab, type LightFunctions } from "../rust-lab";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { AfterSave } from "./after-save";
import { ChooseLight } from "./choose-light";
import { DownloadSteps } from "./download-steps";
import type { Light } from "./drive";
import { isUpdate } from "./firmware-update";
import { LightReportSteps } from "./light-report";
import { SettingsForm } from "./settings-form";
import { UpdateLight } from "./update-light";

interface Props {
  /** The schedule. */
  text: string;
  onClose: () => void;
}

type Stage = "choose" | "settings" | "saved" | "report" | "update";

const TITLES: Record<Stage, string> = {
  choose: "Save to your light",
  settings: "Save to your light",
  saved: "Saved. What did the lamp do?",
  report: "Your light’s report",
  update: "Update your light",
};

/** Saves a schedule to a light, reads the light's report, and updates its firmware. */
export function LightDialog({ text, onClose }: Props) {
  const lab = useLab();
  const [stage, setStage] = useState<Stage>("choose");
  const [light, setLight] = useState<Light>();
  const { firmware } = useRootData().config;

  function choose(chosen: Light) {
    setLight(chosen);
    setStage("settings");
  }

  function content(functions: LightFunctions): ReactNode {
    if (window.showDirectoryPicker === undefined) return <DownloadSteps text={text} lab={functions} />;
    if (light === undefined || stage === "choose") return <ChooseLight lab={functions} onChosen={choose} />;
    if (stage === "update" && firmware !== null) {
      return <UpdateLight light={light} firmware={firmware} lab={functions} onUpdated={choose} />;
    }
    if (stage === "report") return <LightReportSteps light={light} lab={functions} />;
    if (stage === "saved") {
      return <AfterSave signals={functions.lampSignals()} onReport={() => setStage("report")} onDone={onClose} />;
    }
    const hasUpdate = firmware !== null && isUpdate(firmware.version, light.report.version);
    return (
      <SettingsForm
        light={light}
        text={text}
        lab={functions}
        update={hasUpdate ? firmware.version : undefined}
        onSaved={() => setStage("saved")}
        onUpdate={() => setStage("update")}
        onReport={() => setStage("report")}
        onOtherLight={() => setStage("choose")}
      />
    );
  }

  return (
    <Dialog title={TITLES[stage]} isOpen onClose={onClose}>
      {lab === "failed" && <Notice kind="error">The Lab couldn’t be loaded. Reload the page to try again.</Notice>}
      {typeof lab === "object" && content(lab)}
    </Dialog>
  );
}

/** The functions of the Lab's package, which the page usually has loaded already. */
function useLab(): LightFunctions | "loading" | "failed" {
  const [lab, setLab] = useState<LightFunctions | "loading" | "failed">("loading");
  useEffect(() => {
    let isWanted = true;
    loadLab().then(
      (loaded) => isWanted && setLab(loaded),
      () => isWanted && setLab("failed"),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return lab;
}
