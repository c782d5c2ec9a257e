//! Sample customers and addresses.

use wasm_core::validation::{Address, PostalAddress};

use super::sample::Sampler;

const FIRST_NAMES: [&str; 60] = [
    "Ada", "Agnes", "Alan", "Amara", "Anton", "Beatriz", "Ben", "Carla", "Cem", "Chidi", "Clara", "Dana", "Diego",
    "Dora", "Edgar", "Elena", "Emil", "Esther", "Farid", "Fiona", "Gita", "Grace", "Hana", "Hugo", "Ida", "Imani",
    "Ines", "Ivan", "Jonas", "Juno", "Karim", "Katrin", "Kofi", "Lena", "Leo", "Liv", "Luca", "Mara", "Mateo", "Mina",
    "Nadia", "Nils", "Noor", "Olga", "Omar", "Paula", "Pia", "Quinn", "Rosa", "Ruben", "Sana", "Silas", "Tara", "Theo",
    "Ulla", "Vera", "Viktor", "Wanda", "Yusuf", "Zoe",
];
const LAST_NAMES: [&str; 60] = [
    "Abbott", "Acosta", "Adeyemi", "Bauer", "Becker", "Bell", "Blanc", "Brandt", "Castillo", "Chen", "Cohen", "Costa",
    "Dahl", "Diaz", "Dubois", "Eriksen", "Farah", "Fischer", "Fontaine", "Garcia", "Gray", "Gupta", "Haddad", "Hansen",
    "Hill", "Hughes", "Ito", "Jansen", "Kaya", "Keller", "Kim", "Kovacs", "Lang", "Larsen", "Leroy", "Lopez", "Mbeki",
    "Meyer", "Moreau", "Morris", "Nagy", "Nguyen", "Novak", "Okafor", "Olsen", "Park", "Patel", "Perez", "Price",
    "Ramos", "Reyes", "Rossi", "Sato", "Silva", "Singh", "Stone", "Torres", "Vogel", "Walsh", "Young",
];
const STREETS: [&str; 12] = [
    "Alder Street",
    "Beacon Road",
    "Canal Lane",
    "Garden Row",
    "Harbor Way",
    "Hill Street",
    "Lamp Street",
    "Mill Road",
    "Orchard Avenue",
    "River Street",
    "Station Road",
    "Willow Lane",
];
/// City, state or province, postal code, country.
const PLACES: [(&str, &str, &str, &str); 16] = [
    ("San Francisco", "CA", "94110", "US"),
    ("Los Angeles", "CA", "90012", "US"),
    ("Portland", "OR", "97205", "US"),
    ("Seattle", "WA", "98101", "US"),
    ("Austin", "TX", "78701", "US"),
    ("Chicago", "IL", "60601", "US"),
    ("New York", "NY", "10001", "US"),
    ("Buffalo", "NY", "14201", "US"),
    ("Boston", "MA", "02108", "US"),
    ("Miami", "FL", "33101", "US"),
    ("Denver", "CO", "80202", "US"),
    ("Columbus", "OH", "43004", "US"),
    ("Toronto", "ON", "M5V 2T6", "CA"),
    ("Montreal", "QC", "H2X 1Y4", "CA"),
    ("Vancouver", "BC", "V6B 1A1", "CA"),
    ("Calgary", "AB", "T2P 1J9", "CA"),
];

pub struct Customer {
    pub id: String,
    pub email: String,
    pub address: Address,
    pub created_at: i64,
}

/// `before`: number of existing accounts, so that email addresses are unique.
pub fn customers(sampler: &mut Sampler, at: i64, before: i64, many: i64) -> Vec<Customer> {
    (0..many).map(|index| customer(sampler, at + index, before + index)).collect()
}

fn customer(sampler: &mut Sampler, at: i64, number: i64) -> Customer {
    let address = address(sampler);
    let email = format!("{}.{number}@example.com", address.name.to_lowercase().replace(' ', "."));
    Customer { id: sampler.id(at), email, address, created_at: at }
}

/// A random address.
pub fn address(sampler: &mut Sampler) -> Address {
    let first = sampler.pick(&FIRST_NAMES).copied().unwrap_or_default();
    let last = sampler.pick(&LAST_NAMES).copied().unwrap_or_default();
    let street = sampler.pick(&STREETS).copied().unwrap_or_default();
    let (city, state, postal_code, country) = sampler.pick(&PLACES).copied().unwrap_or_default();
    Address {
        name: format!("{first} {last}"),
        phone: None,
        address: PostalAddress {
            line1: format!("{} {street}", 1 + sampler.below(200)),
            line2: sampler.one_in(5).then(|| format!("Apt. {}", 1 + sampler.below(40))),
            city: city.to_owned(),
            state: state.to_owned(),
            postal_code: postal_code.to_owned(),
            country: country.to_owned(),
        },
    }
}
