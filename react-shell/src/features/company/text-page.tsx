import { useRootData } from "../../shared/root-data";
import { TextPage, type Text } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";

/** Creates a text page. The Leptos view contains the text. */
export function textPage(text: Text, title: (shopName: string) => string) {
  return function Component() {
    const { shop_name: shopName, firmware } = useRootData().config;
    return (
      <>
        <PageHead title={title(shopName)} />
        <TextPage text={text} shopName={shopName} policy={null} firmware={firmware} />
      </>
    );
  };
}
