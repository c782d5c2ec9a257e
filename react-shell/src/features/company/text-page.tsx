import { useRootData } from "../../shared/root-data";
import { TextPage, type Text } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";

/** A page of text: the words are in the view. */
export function textPage(text: Text, title: (shopName: string) => string) {
  return function Component() {
    const { shopName, supportEmail } = useRootData().config;
    return (
      <>
        <PageHead title={title(shopName)} />
        <TextPage text={text} shopName={shopName} supportEmail={supportEmail} />
      </>
    );
  };
}
