import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Prose } from "./prose";

export function Component() {
  const { shopName } = useRootData().config;
  return (
    <Prose title={`About ${shopName}`}>
      <p>
        {shopName} is a small light that lives in a USB port. It turns on or blinks at the times you gave it: to take a
        pill, to stand up, to leave for the train. No app, no account, no sound.
      </p>
      <h2>How it works</h2>
      <ol>
        <li>Plug it in. It appears as a USB drive with one text file on it.</li>
        <li>Write your times into that file, in plain words, and save it.</li>
        <li>The light joins your wifi, asks for the time, and does what the file says.</li>
      </ol>
      <p>
        The{" "}
        <ShopLink to={paths.tutorial} className={TEXT_LINK}>
          setup tutorial
        </ShopLink>{" "}
        shows each step.
      </p>
      <h2>Where to go from here</h2>
      <p>
        See{" "}
        <ShopLink to={paths.products} className={TEXT_LINK}>
          our products
        </ShopLink>
        , or{" "}
        <ShopLink to={paths.contact} className={TEXT_LINK}>
          contact us
        </ShopLink>{" "}
        with a question.
      </p>
    </Prose>
  );
}
