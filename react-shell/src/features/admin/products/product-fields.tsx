import { CheckboxField, TextArea, TextField } from "../../../shared/ui/field";
import type { FieldErrors } from "../../../shared/use-field-errors";
import { ProductFactsFields } from "./product-facts-fields";
import { twoDecimals, type TypedProduct } from "./product-form";

interface Props {
  errors: FieldErrors;
  /** The edited product; undefined for a new one, which also has a stock field. */
  product?: TypedProduct;
}

/** The form fields of a product. */
export function ProductFields({ errors, product }: Props) {
  return (
    <>
      <TextField
        className="sm:col-span-full"
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={80}
        defaultValue={product?.name}
        error={errors["name"]}
      />
      <TextArea
        className="sm:col-span-full"
        label="Description"
        name="description"
        rows={3}
        maxLength={4000}
        defaultValue={product?.description}
        error={errors["description"]}
      />
      <TextField
        label="Price (US dollars)"
        name="price"
        type="number"
        step="0.01"
        min="0.01"
        inputMode="decimal"
        defaultValue={product && twoDecimals(product.price)}
        error={errors["price"]}
      />
      {product === undefined && (
        <TextField
          label="Stock"
          name="stock"
          type="number"
          step="1"
          min="0"
          inputMode="numeric"
          error={errors["stock"]}
        />
      )}
      <TextField
        label="Weight (pounds)"
        name="weight_pounds"
        type="number"
        step="0.01"
        min="0.01"
        inputMode="decimal"
        defaultValue={product && twoDecimals(product.weight_pounds)}
        error={errors["weight_pounds"]}
      />
      <ProductFactsFields errors={errors} product={product} />
      <div className="sm:col-span-full">
        <CheckboxField label="Active" name="active" defaultChecked={product?.active ?? true} />
      </div>
    </>
  );
}
