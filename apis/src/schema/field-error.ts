/** Why a field was refused, in the API server's words (the `reason` of a status cause). */
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
  /** `spec.disruption.budgets[0].nodes`. Empty for the whole object. */
  readonly field: string
  readonly reason: FieldErrorReason
  /** The detail, without field and value. */
  readonly message: string
  /** The value that was refused; absent when it is too big to show or missing. */
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

/** `Invalid value: "x": must match …`: what the API server puts behind the field. */
export const describeFieldError = ({ reason, message, badValue }: FieldError): string =>
  [TITLES[reason], badValue === undefined ? '' : JSON.stringify(badValue), message]
    .filter((part) => part !== '')
    .join(': ')

/** The whole line, as kubectl prints it. */
export const formatFieldError = (error: FieldError): string =>
  error.field === '' ? describeFieldError(error) : `${error.field}: ${describeFieldError(error)}`

/** Errors of this kind leave the CEL rules unevaluated: they could not be trusted on such a value. */
export const blocksRules = ({ reason }: FieldError): boolean =>
  reason === 'FieldValueRequired' ||
  reason === 'FieldValueTypeInvalid' ||
  reason === 'FieldValueNotSupported' ||
  reason === 'FieldValueTooLong' ||
  reason === 'FieldValueTooMany'
