import { ownValue } from '@kerf/apis'

/** Returns the part of the value that a recording keeps, or undefined if the value does not have the expected format. */
export type Kept = (value: unknown) => unknown

const DNS_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/
const QUALIFIED_KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const QUANTITY = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?$/
const DURATION = /^(Never|never|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+|[0-9]+)$/
const PERCENT = /^[0-9]+%?$/
const CRON =
  /^((CRON_TZ|TZ)=[A-Za-z0-9_+/-]+ )?(@(annually|yearly|monthly|weekly|daily|midnight|hourly)|[0-9A-Za-z*?/,#-]+( [0-9A-Za-z*?/,#-]+){4})$/
const DAY = /^\d{4}-\d\d-\d\d$/
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
/** Names of instance types, optionally with a `*` at the end. */
const TYPE_NAMES = /^[A-Za-z0-9][-A-Za-z0-9_.]{0,62}\*?$/
const CURRENCY_CODE = /^[A-Z]{3}$/
const ADJUSTMENT = /^[+-]?[0-9]+(\.[0-9]+)?%?$/

const text =
  (form: RegExp): Kept =>
  (value) =>
    typeof value === 'string' && form.test(value) ? value : undefined

/** Keeps the name of an object or of a reference, because names connect related objects. */
export const name = text(DNS_NAME)
export const labelKey = text(QUALIFIED_KEY)
export const labelValue = text(LABEL_VALUE)
export const duration = text(DURATION)
export const cron = text(CRON)
export const adjustment = text(ADJUSTMENT)
export const day = text(DAY)
export const utcTime = text(UTC_TIME)
export const typeNames = text(TYPE_NAMES)
export const currencyCode = text(CURRENCY_CODE)

export const flag: Kept = (value) => (typeof value === 'boolean' ? value : undefined)
export const number: Kept = (value) => (typeof value === 'number' ? value : undefined)
export const quantity: Kept = (value) => (typeof value === 'number' ? value : text(QUANTITY)(value))
export const numberOrPercent: Kept = (value) => (typeof value === 'number' ? value : text(PERCENT)(value))

export const keepOneOf =
  (...words: readonly string[]): Kept =>
  (value) =>
    words.find((word) => word === value)

export const list =
  (each: Kept): Kept =>
  (value) =>
    Array.isArray(value) ? value.map(each).filter((kept) => kept !== undefined) : undefined

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const keepMapOf =
  (key: Kept, each: Kept): Kept =>
  (value) =>
    isFields(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, field]) => {
            const kept = each(field)
            return key(name) === undefined || kept === undefined ? [] : [[name, kept]]
          }),
        )
      : undefined

/** Keeps only these fields. An empty object is kept, because an empty selector selects everything. */
export const fields =
  (shapes: Readonly<Record<string, Kept>>): Kept =>
  (value) => {
    if (!isFields(value)) return undefined
    return Object.fromEntries(
      Object.entries(shapes).flatMap(([name, shape]) => {
        const kept = shape(ownValue(value, name))
        return kept === undefined ? [] : [[name, kept]]
      }),
    )
  }
