import { enumField, listField, object, optional, text } from '../schema/field.ts'

/** The name of the ConfigMap with declared prices, if the policy does not specify another name. Kerf may read only this ConfigMap. */
export const PRICE_CONFIG_MAP = 'kerf-prices'

/** The key in that ConfigMap whose value is the price list. */
export const PRICE_KEY = 'prices.yaml'

/** The maximum number of prices in a price book. They are stored in the status, and etcd limits the size of an object. */
export const MOST_DECLARED_PRICES = 2000

/** The pattern of a decimal number above 0. */
export const ABOVE_ZERO = '^(0*[1-9]\\d*(\\.\\d+)?|0+\\.\\d*[1-9]\\d*)$'

/** The part of a pattern that matches a date. It excludes days that no month has, for example 30 February. */
export const CALENDAR_DAY =
  '\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))'

const DAY = `^${CALENDAR_DAY}$`

const configMap = object(
  {
    name: text({
      description:
        'The name of the ConfigMap, in the namespace of Kerf. If you set another name than the default, allow the ServiceAccount of Kerf to get the ConfigMap.',
      default: PRICE_CONFIG_MAP,
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
      maxLength: 253,
    }),
    key: text({
      description: 'The key of the ConfigMap that contains the prices.',
      default: PRICE_KEY,
      pattern: '^[-._a-zA-Z0-9]+$',
      maxLength: 253,
    }),
  },
  { description: 'Reads the prices from a ConfigMap, every minute.' },
)

const currency = object(
  {
    code: text({ description: 'The currency of the prices, for example EUR.', pattern: '^[A-Z]{3}$' }),
    usd: text({
      description: 'How many US dollars one unit of the currency costs, for example "1.08".',
      pattern: ABOVE_ZERO,
      maxLength: 20,
    }),
    date: text({ description: 'The day of this exchange rate, for example 2026-11-30.', pattern: DAY }),
  },
  {
    description: 'The currency of the prices and its exchange rate. Absent: US dollars.',
    rules: [{ rule: "self.code != 'USD'", message: 'prices in US dollars need no exchange rate; remove "currency"' }],
  },
)

/** The `priceBook` section of a ClusterPolicy. */
export const priceBook = object(
  {
    configMap: optional(configMap),
    file: optional(
      text({
        description:
          'The absolute path of a file with the prices, mounted into the pod of Kerf. Kerf reads it every minute.',
        pattern: '^/.+$',
        maxLength: 1000,
      }),
    ),
    currency: optional(currency),
  },
  {
    description:
      'Prices that replace the prices of the cloud, by instance type, capacity type and zone. NodeOverlays change the replaced prices. Absent: the prices of the cloud apply.',
    rules: [
      {
        rule: 'has(self.configMap) != has(self.file)',
        message: 'exactly one of "configMap" and "file" must be set',
      },
    ],
  },
)

const declaredPrice = object(
  {
    instanceType: text({ description: 'The instance type.' }),
    capacityType: enumField(['on-demand', 'spot'], { description: 'The capacity type.' }),
    zone: text({ description: 'The zone. Empty: every zone without a price of its own.' }),
    usdPerHour: text({ description: 'The price in US dollars per hour.' }),
    asOf: text({ description: 'The day of the price.' }),
  },
  { description: 'A declared price.' },
)

/** The `priceBook` section of the status of a ClusterPolicy. */
export const priceBookStatus = object(
  {
    source: text({ description: 'Where the prices come from: the ConfigMap or the file, with the exchange rate.' }),
    readAt: text({ description: 'When Kerf first read these prices.', format: 'date-time' }),
    prices: listField(declaredPrice, {
      description: 'The prices in force. They stay in force while the source cannot be read.',
      listType: 'map',
      listMapKeys: ['instanceType', 'capacityType', 'zone'],
      maxItems: MOST_DECLARED_PRICES,
    }),
  },
  { description: 'The declared prices that are in force.' },
)
