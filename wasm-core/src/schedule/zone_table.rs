//! IANA's time zones 2026e and the rules they follow now. Made by `cargo xtask gen`; changes belong into
//! `examples/zone_table.rs`.

/// The edition of IANA's data.
pub const VERSION: &str = "2026e";

/// POSIX rules, with spaces between them. A zone names its rule by its number, from 0.
#[rustfmt::skip]
pub(super) static RULES: [u8; 1298] = *b"<-03>3 CET-1CEST,M3.5.0,M10.5.0/3 GMT0 EST5EDT,M3.2.0,M11.1.0 AST4 CST6 <+05>-5 \
     EET-2EEST,M3.5.0/3,M10.5.0/4 CST6CDT,M3.2.0,M11.1.0 <+03>-3 <+07>-7 MST7 <+04>-4 <+12>-12 <+08>-8 <+11>-11 \
     CAT-2 EAT-3 EST5 WAT-1 <+06>-6 <-04>4 AEST-10AEDT,M10.1.0,M4.1.0/3 CST-8 <+10>-10 <-05>5 \
     MST7MDT,M3.2.0,M11.1.0 UTC0 AKST9AKDT,M3.2.0,M11.1.0 AST4ADT,M3.2.0,M11.1.0 GMT0BST,M3.5.0/1,M10.5.0 \
     PST8PDT,M3.2.0,M11.1.0 WET0WEST,M3.5.0/1,M10.5.0 <+09>-9 <+13>-13 MSK-3 <-02>2 \
     ACST-9:30ACDT,M10.1.0,M4.1.0/3 HST10 NZST-12NZDT,M9.5.0,M4.1.0/3 SST11 <+0630>-6:30 \
     <-02>2<-01>,M3.5.0/-1,M10.5.0/0 <-10>10 AEST-10 EET-2 HST10HDT,M3.2.0,M11.1.0 IST-2IDT,M3.4.4/26,M10.5.0 \
     KST-9 SAST-2 <+0330>-3:30 <+0545>-5:45 <+1030>-10:30<+11>-11,M10.1.0,M4.1.0 \
     <+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45 <+14>-14 <-01>1 <-04>4<-03>,M9.1.6/24,M4.1.6/24 <-06>6 \
     <-06>6<-05>,M9.1.6/22,M4.1.6/22 <-08>8 <-09>9 <-11>11 ACST-9:30 AWST-8 CET-1 CST5CDT,M3.2.0/0,M11.1.0/1 \
     ChST-10 EET-2EEST,M4.5.5/0,M10.5.4/24 GMT0IST,M3.5.0/1,M10.5.0 HKT-8 IST-5:30 JST-9 \
     NST3:30NDT,M3.2.0,M11.1.0 WIB-7 WITA-8 <+00>0<+02>-2,M3.5.0/1,M10.5.0/3 <+01>-1 <+02>-2 <+0430>-4:30 \
     <+0530>-5:30 <+0845>-8:45 <+11>-11<+12>,M10.1.0,M4.1.0/3 <-01>1<+00>,M3.5.0/0,M10.5.0/1 \
     <-03>3<-02>,M3.2.0,M11.1.0 <-07>7 <-0930>9:30 <-12>12 EET-2EEST,M3.5.0/0,M10.5.0/0 PKT-5 PST-8 WIT-9";

/// Areas, each behind a byte of 255, and in each area the rest of its zones' names, each behind a byte of 128 and its
/// rule's number.
#[rustfmt::skip]
pub(super) static ZONES: [u8; 5320] = *b"\xff\x81CET\x88CST6CDT\xc1Cuba\x87EET\x92EST\x83EST5EDT\xc3Egypt\xc4Eire\x9eGB\x9eGB-Eire\x82GMT\x82GMT+0\
     \x82GMT-0\x82GMT0\x82Greenwich\xa6HST\xc5Hongkong\x82Iceland\xb2Iran\xafIsrael\x92Jamaica\xc7Japan\
     \x8dKwajalein\xadLibya\x81MET\x8bMST\x9aMST7MDT\xa7NZ\xb5NZ-CHAT\x9aNavajo\x97PRC\x9fPST8PDT\x81Poland\
     \xa0Portugal\x97ROC\xb0ROK\x8eSingapore\x89Turkey\x9bUCT\x9bUTC\x9bUniversal\xa3W-SU\xa0WET\x9bZulu\
     \xffAfrica/\x82Abidjan\x82Accra\x91Addis_Ababa\xc0Algiers\x91Asmara\x91Asmera\x82Bamako\x93Bangui\x82Banjul\
     \x82Bissau\x90Blantyre\x93Brazzaville\x90Bujumbura\xc3Cairo\x81Ceuta\x82Conakry\x82Dakar\x91Dar_es_Salaam\
     \x91Djibouti\x93Douala\x82Freetown\x90Gaborone\x90Harare\xb1Johannesburg\x90Juba\x91Kampala\x90Khartoum\
     \x90Kigali\x93Kinshasa\x93Lagos\x93Libreville\x82Lome\x93Luanda\x90Lubumbashi\x90Lusaka\x93Malabo\x90Maputo\
     \xb1Maseru\xb1Mbabane\x91Mogadishu\x82Monrovia\x91Nairobi\x93Ndjamena\x93Niamey\x82Nouakchott\x82Ouagadougou\
     \x93Porto-Novo\x82Sao_Tome\x82Timbuktu\xadTripoli\xc0Tunis\x90Windhoek\xffAmerica/\xaeAdak\x9cAnchorage\
     \x84Anguilla\x84Antigua\x80Araguaina\x80Argentina/Buenos_Aires\x80Argentina/Catamarca\
     \x80Argentina/ComodRivadavia\x80Argentina/Cordoba\x80Argentina/Jujuy\x80Argentina/La_Rioja\
     \x80Argentina/Mendoza\x80Argentina/Rio_Gallegos\x80Argentina/Salta\x80Argentina/San_Juan\
     \x80Argentina/San_Luis\x80Argentina/Tucuman\x80Argentina/Ushuaia\x84Aruba\x80Asuncion\x92Atikokan\xaeAtka\
     \x80Bahia\x85Bahia_Banderas\x84Barbados\x80Belem\x85Belize\x84Blanc-Sablon\x95Boa_Vista\x99Bogota\x9aBoise\
     \x80Buenos_Aires\x9aCambridge_Bay\x95Campo_Grande\x92Cancun\x95Caracas\x80Catamarca\x80Cayenne\x92Cayman\
     \x88Chicago\x85Chihuahua\x9aCiudad_Juarez\x92Coral_Harbour\x80Cordoba\x85Costa_Rica\x80Coyhaique\x8bCreston\
     \x95Cuiaba\x84Curacao\x82Danmarkshavn\x8bDawson\x8bDawson_Creek\x9aDenver\x83Detroit\x84Dominica\x85Edmonton\
     \x99Eirunepe\x85El_Salvador\x9fEnsenada\x8bFort_Nelson\x83Fort_Wayne\x80Fortaleza\x9dGlace_Bay\xaaGodthab\
     \x9dGoose_Bay\x83Grand_Turk\x84Grenada\x84Guadeloupe\x85Guatemala\x99Guayaquil\x95Guyana\x9dHalifax\
     \xc1Havana\x8bHermosillo\x83Indiana/Indianapolis\x88Indiana/Knox\x83Indiana/Marengo\x83Indiana/Petersburg\
     \x88Indiana/Tell_City\x83Indiana/Vevay\x83Indiana/Vincennes\x83Indiana/Winamac\x83Indianapolis\x85Inuvik\
     \x83Iqaluit\x92Jamaica\x80Jujuy\x9cJuneau\x83Kentucky/Louisville\x83Kentucky/Monticello\x88Knox_IN\
     \x84Kralendijk\x95La_Paz\x99Lima\x9fLos_Angeles\x83Louisville\x84Lower_Princes\x80Maceio\x85Managua\
     \x95Manaus\x84Marigot\x84Martinique\x88Matamoros\x8bMazatlan\x80Mendoza\x88Menominee\x85Merida\x9cMetlakatla\
     \x85Mexico_City\xd3Miquelon\x9dMoncton\x85Monterrey\x80Montevideo\x83Montreal\x84Montserrat\x83Nassau\
     \x83New_York\x83Nipigon\x9cNome\xa4Noronha\x88North_Dakota/Beulah\x88North_Dakota/Center\
     \x88North_Dakota/New_Salem\xaaNuuk\x88Ojinaga\x92Panama\x83Pangnirtung\x80Paramaribo\x8bPhoenix\
     \x83Port-au-Prince\x84Port_of_Spain\x99Porto_Acre\x95Porto_Velho\x84Puerto_Rico\x80Punta_Arenas\
     \x92Rainy_River\x88Rankin_Inlet\x80Recife\x85Regina\x88Resolute\x99Rio_Branco\x80Rosario\x9fSanta_Isabel\
     \x80Santarem\xb8Santiago\x84Santo_Domingo\x80Sao_Paulo\xaaScoresbysund\x9aShiprock\x9cSitka\x84St_Barthelemy\
     \xc8St_Johns\x84St_Kitts\x84St_Lucia\x84St_Thomas\x84St_Vincent\x85Swift_Current\x85Tegucigalpa\x9dThule\
     \x83Thunder_Bay\x9fTijuana\x83Toronto\x84Tortola\x8bVancouver\x84Virgin\x8bWhitehorse\x92Winnipeg\x9cYakutat\
     \x85Yellowknife\xffAntarctica/\x8eCasey\x8aDavis\x98DumontDUrville\x96Macquarie\x86Mawson\xa7McMurdo\
     \x80Palmer\x80Rothera\xa7South_Pole\x89Syowa\xcbTroll\x86Vostok\xffArctic/\x81Longyearbyen\xffAsia/\x89Aden\
     \x86Almaty\x89Amman\x8dAnadyr\x86Aqtau\x86Aqtobe\x86Ashgabat\x86Ashkhabad\x86Atyrau\x89Baghdad\x89Bahrain\
     \x8cBaku\x8aBangkok\x8aBarnaul\xd7Beirut\x94Bishkek\x8eBrunei\xc6Calcutta\xa1Chita\x8eChoibalsan\
     \x97Chongqing\x97Chungking\xcfColombo\x94Dacca\x89Damascus\x94Dhaka\xa1Dili\x8cDubai\x86Dushanbe\
     \x87Famagusta\x97Harbin\x8aHo_Chi_Minh\xc5Hong_Kong\x8aHovd\x8eIrkutsk\x89Istanbul\xc9Jakarta\xdaJayapura\
     \xafJerusalem\xceKabul\x8dKamchatka\xd8Karachi\x94Kashgar\xb3Kathmandu\xb3Katmandu\xa1Khandyga\xc6Kolkata\
     \x8aKrasnoyarsk\x8eKuala_Lumpur\x8eKuching\x89Kuwait\x97Macao\x97Macau\x8fMagadan\xcaMakassar\xd9Manila\
     \x8cMuscat\x87Nicosia\x8aNovokuznetsk\x8aNovosibirsk\x94Omsk\x86Oral\x8aPhnom_Penh\xc9Pontianak\xb0Pyongyang\
     \x89Qatar\x86Qostanay\x86Qyzylorda\xa9Rangoon\x89Riyadh\x8aSaigon\x8fSakhalin\x86Samarkand\xb0Seoul\
     \x97Shanghai\x8eSingapore\x8fSrednekolymsk\x97Taipei\x86Tashkent\x8cTbilisi\xb2Tehran\xafTel_Aviv\x94Thimbu\
     \x94Thimphu\xc7Tokyo\x8aTomsk\xcaUjung_Pandang\x8eUlaanbaatar\x8eUlan_Bator\x94Urumqi\x98Ust-Nera\
     \x8aVientiane\x98Vladivostok\xa1Yakutsk\xa9Yangon\x86Yekaterinburg\x8cYerevan\xffAtlantic/\xd2Azores\
     \x9dBermuda\xa0Canary\xb7Cape_Verde\xa0Faeroe\xa0Faroe\x81Jan_Mayen\xa0Madeira\x82Reykjavik\xa4South_Georgia\
     \x82St_Helena\x80Stanley\xffAustralia/\x96ACT\xa5Adelaide\xacBrisbane\xa5Broken_Hill\x96Canberra\x96Currie\
     \xbeDarwin\xd0Eucla\x96Hobart\xb4LHI\xacLindeman\xb4Lord_Howe\x96Melbourne\x96NSW\xbeNorth\xbfPerth\
     \xacQueensland\xa5South\x96Sydney\x96Tasmania\x96Victoria\xbfWest\xa5Yancowinna\xffBrazil/\x99Acre\
     \xa4DeNoronha\x80East\x95West\xffCanada/\x9dAtlantic\x92Central\x83Eastern\x85Mountain\xc8Newfoundland\
     \x8bPacific\x85Saskatchewan\x8bYukon\xffChile/\xb8Continental\xbaEasterIsland\xffEtc/\x82GMT\x82GMT+0\
     \xb7GMT+1\xabGMT+10\xbdGMT+11\xd6GMT+12\xa4GMT+2\x80GMT+3\x95GMT+4\x99GMT+5\xb9GMT+6\xd4GMT+7\xbbGMT+8\
     \xbcGMT+9\x82GMT-0\xccGMT-1\x98GMT-10\x8fGMT-11\x8dGMT-12\xa2GMT-13\xb6GMT-14\xcdGMT-2\x89GMT-3\x8cGMT-4\
     \x86GMT-5\x94GMT-6\x8aGMT-7\x8eGMT-8\xa1GMT-9\x82GMT0\x82Greenwich\x9bUCT\x9bUTC\x9bUniversal\x9bZulu\
     \xffEurope/\x81Amsterdam\x81Andorra\x8cAstrakhan\x87Athens\x9eBelfast\x81Belgrade\x81Berlin\x81Bratislava\
     \x81Brussels\x87Bucharest\x81Budapest\x81Busingen\x87Chisinau\x81Copenhagen\xc4Dublin\x81Gibraltar\
     \x9eGuernsey\x87Helsinki\x9eIsle_of_Man\x89Istanbul\x9eJersey\xadKaliningrad\x87Kiev\xa3Kirov\x87Kyiv\
     \xa0Lisbon\x81Ljubljana\x9eLondon\x81Luxembourg\x81Madrid\x81Malta\x87Mariehamn\x89Minsk\x81Monaco\xa3Moscow\
     \x87Nicosia\x81Oslo\x81Paris\x81Podgorica\x81Prague\x87Riga\x81Rome\x8cSamara\x81San_Marino\x81Sarajevo\
     \x8cSaratov\xa3Simferopol\x81Skopje\x87Sofia\x81Stockholm\x87Tallinn\x81Tirane\x87Tiraspol\x8cUlyanovsk\
     \x87Uzhgorod\x81Vaduz\x81Vatican\x81Vienna\x87Vilnius\xa3Volgograd\x81Warsaw\x81Zagreb\x87Zaporozhye\
     \x81Zurich\xffIndian/\x91Antananarivo\x94Chagos\x8aChristmas\xa9Cocos\x91Comoro\x86Kerguelen\x8cMahe\
     \x86Maldives\x8cMauritius\x91Mayotte\x8cReunion\xffMexico/\x9fBajaNorte\x8bBajaSur\x85General\xffPacific/\
     \xa2Apia\xa7Auckland\x8fBougainville\xb5Chatham\x98Chuuk\xbaEaster\x8fEfate\xa2Enderbury\xa2Fakaofo\x8dFiji\
     \x8dFunafuti\xb9Galapagos\xbcGambier\x8fGuadalcanal\xc2Guam\xa6Honolulu\xa6Johnston\xa2Kanton\xb6Kiritimati\
     \x8fKosrae\x8dKwajalein\x8dMajuro\xd5Marquesas\xa8Midway\x8dNauru\xbdNiue\xd1Norfolk\x8fNoumea\xa8Pago_Pago\
     \xa1Palau\xbbPitcairn\x8fPohnpei\x8fPonape\x98Port_Moresby\xabRarotonga\xc2Saipan\xa8Samoa\xabTahiti\
     \x8dTarawa\xa2Tongatapu\x98Truk\x8dWake\x8dWallis\x98Yap\xffUS/\x9cAlaska\xaeAleutian\x8bArizona\x88Central\
     \x83East-Indiana\x83Eastern\xa6Hawaii\x88Indiana-Starke\x83Michigan\x9aMountain\x9fPacific\xa8Samoa";
