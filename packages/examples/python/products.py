"""The shop's products, their prices and stock: python products.py https://shop.example

Uses a client that openapi-python-client generates from the shop's OpenAPI document.
"""

import sys

from nudgelight_client import Client
from nudgelight_client.api.catalog import get_product, list_products
from nudgelight_client.models import Product


def main(address: str) -> int:
    with Client(base_url=address) as shop:
        products = list_products.sync(client=shop)
        if not isinstance(products, list):
            print(f"{address}: {products}", file=sys.stderr)
            return 1
        for product in products:
            print(f"{product.name}: ${product.price:.2f}, {product.available} available")
        first = get_product.sync(products[0].slug, client=shop)
        assert isinstance(first, Product) and first.id == products[0].id
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
