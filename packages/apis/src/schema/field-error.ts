/** The reason why a field was refused, as in the API server's responses (the `reason` of a status cause). */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'

export interface FieldError {
  /** The path of the field, for example `spec.disruption.budgets[0].nodes`. Empty for the whole object. */
  readonly field: string
  readonly reason: FieldErrorReason
  /** The description of the error, without the field and the value. */
  readonly message: string
  /** The refused value. Absent if there is none, or if it is too large to show. */
  readonly badValue?: unknown
}

const TITLES: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
}

/** Returns the part of the API server's error message that follows the field: `Invalid value: "x": must match …`. */
export const describeFieldError = ({ reason, message, badValue }: FieldError): string =>
  [TITLES[reason], badValue === undefined ? '' : JSON.stringify(badValue), message]
    .filter((part) => part !== '')
    .join(': ')

/** Returns the whole line, as kubectl prints it. */
export const formatFieldError = (error: FieldError): string =>
  error.field === '' ? describeFieldError(error) : `${error.field}: ${describeFieldError(error)}`

/** Returns whether CEL rules are not evaluated because of this error. Their result would not be reliable. */
export const blocksRules = ({ reason }: FieldError): boolean =>
  reason === 'FieldValueRequired' ||
  reason === 'FieldValueTypeInvalid' ||
  reason === 'FieldValueNotSupported' ||
  reason === 'FieldValueTooLong' ||
  reason === 'FieldValueTooMany'
