import { useRootData } from "../../shared/root-data";
import { HomePage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { useHomeLamp } from "./home-lamp";

export function Component() {
  const { config, products } = useRootData();
  return (
    <>
      <PageHead title={config.shopName} />
      <HomePage shopName={config.shopName} products={products} lamp={useHomeLamp()} />
    </>
  );
}
