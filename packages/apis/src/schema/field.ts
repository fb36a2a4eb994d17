import {
  type Static,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox'

/**
 * This file contains builders for the schemas of custom resources: TypeBox types with the extensions of Kubernetes' structural schemas. As
 * JSON, a schema is exactly what a CustomResourceDefinition contains.
 */

/** A CEL rule. `rule` must be true for `self`. If it uses `oldSelf`, it is a transition rule. */
export interface Rule {
  readonly rule: string
  readonly message: string
}

interface FieldOptions {
  /** Must state what the field does, its unit, and what its absence means. `kubectl explain` and the reference show it. */
  readonly description: string
  readonly default?: unknown
  readonly rules?: readonly Rule[]
}

interface TextOptions extends FieldOptions {
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: 'date-time'
}

interface NumberOptions extends FieldOptions {
  readonly format?: 'int32' | 'int64'
  readonly minimum?: number
  readonly maximum?: number
  /**
   * The allowed values. An equivalent CEL rule would exceed the API server's cost limit if the field is inside a list without a maximum
   * length.
   */
  readonly enum?: readonly number[]
}

interface ListOptions extends FieldOptions {
  /**
   * How the server treats the list. `atomic`: an owner replaces the whole list; `set`: values are unique; `map`: keys are unique.
   */
  readonly listType: 'atomic' | 'set' | 'map'
  readonly listMapKeys?: readonly string[]
  readonly minItems?: number
  readonly maxItems?: number
}

interface MapOptions extends FieldOptions {
  readonly mapType?: 'atomic' | 'granular'
  readonly maxProperties?: number
}

/**
 * Converts field options to TypeBox options. Keywords that are not part of JSON Schema get their Kubernetes names. TypeBox accepts any
 * keyword.
 */
const keywords = ({ rules, ...options }: FieldOptions): Record<string, unknown> => ({
  ...options,
  ...(rules === undefined ? {} : { 'x-kubernetes-validations': rules }),
})

/** Makes a property optional. */
export const optional = Type.Optional

export const text = (options: TextOptions): TString => Type.String(keywords(options))

/** A number that may have a fraction. */
export const decimal = (options: Omit<NumberOptions, 'format'>): TNumber => Type.Number(keywords(options))

export const whole = (options: NumberOptions): TInteger => Type.Integer(keywords(options))

/** A boolean. Its description must say what absence means. */
export const yesNo = (options: FieldOptions): TBoolean => Type.Boolean(keywords(options))

/** An object whose fields have no schema and are all kept. */
export const openObject = (options: FieldOptions): TUnsafe<Readonly<Record<string, unknown>>> =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    ...keywords(options),
    'x-kubernetes-preserve-unknown-fields': true,
  })

/** A string that must be one of these values. */
export const enumField = <const Values extends readonly string[]>(
  values: Values,
  options: FieldOptions,
): TUnsafe<Values[number]> => Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...keywords(options) })

export const object = <Properties extends TProperties>(
  properties: Properties,
  options: FieldOptions & { readonly mapType?: 'atomic' },
): TObject<Properties> => {
  const { mapType, ...rest } = options
  return Type.Object(properties, {
    ...keywords(rest),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
  })
}

export const listField = <Item extends TSchema>(item: Item, options: ListOptions): TUnsafe<readonly Static<Item>[]> => {
  const { listType, listMapKeys, ...rest } = options
  return Type.Unsafe<readonly Static<Item>[]>({
    type: 'array',
    items: item,
    ...keywords(rest),
    'x-kubernetes-list-type': listType,
    ...(listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': listMapKeys }),
  })
}

export const mapField = <Value extends TSchema>(
  value: Value,
  options: MapOptions,
): TUnsafe<Readonly<Record<string, Static<Value>>>> => {
  const { mapType, ...rest } = options
  return Type.Unsafe<Readonly<Record<string, Static<Value>>>>({
    type: 'object',
    additionalProperties: value,
    ...keywords(rest),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
  })
}

/** The value of a label or annotation, without validation. */
export const anyText = (): TString => Type.String()

/** A number, or a string such as `100m` or `4Gi` (`docs/spec/resources.md#value-formats`, QTY). `pattern` can allow fewer strings. */
export const quantity = ({
  pattern = QUANTITY,
  ...options
}: Partial<Pick<TextOptions, 'description' | 'pattern'>> = {}): TUnsafe<string | number> =>
  Type.Unsafe<string | number>({
    ...options,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern,
    'x-kubernetes-int-or-string': true,
  })

/** A quantity that is not negative. */
export const amount = (): TUnsafe<string | number> =>
  Type.Unsafe<string | number>({
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    minimum: 0,
    pattern: QUANTITY.replace('(\\+|-)?', '\\+?'),
    'x-kubernetes-int-or-string': true,
  })

/** The pattern of a label or taint key (`docs/spec/resources.md#value-formats`, KEY). */
export const KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$'
/** The pattern of a label value (VAL). */
export const VALUE = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$'
const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'
/** The pattern of a duration in whole hours, minutes and seconds (DUR). */
export const DURATION = '^([0-9]+(s|m|h))+$'
/** The pattern of a duration in whole hours, minutes and seconds, or `Never` (DURN). */
export const NILLABLE_DURATION = '^(([0-9]+(s|m|h))+|Never)$'

/** A deeply immutable version of an object type. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T

/** The immutable static type of a schema. */
export type Shape<T extends TSchema> = Immutable<Static<T>>
