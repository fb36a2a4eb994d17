import type { Seconds } from '@kerf/apis'
import { ApiError, type StatusCause } from '@kerf/runtime'

/** The resource and object that an error is about. `resource` is the plural name. */
export interface ErrorSubject {
  readonly group: string
  readonly plural: string
  readonly kind: string
}

const qualified = (subject: ErrorSubject): string =>
  subject.group === '' ? subject.plural : `${subject.plural}.${subject.group}`
const details = (subject: ErrorSubject, name: string) => ({
  name,
  ...(subject.group === '' ? {} : { group: subject.group }),
  kind: subject.plural,
})

/** The errors of an API server with its exact messages, because kubectl and operators depend on the wording. */
export const statusErrors = {
  notFound: (subject: ErrorSubject, name: string) =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `${qualified(subject)} "${name}" not found`,
      details: details(subject, name),
    }),

  alreadyExists: (subject: ErrorSubject, name: string) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${qualified(subject)} "${name}" already exists`,
      details: details(subject, name),
    }),

  conflict: (subject: ErrorSubject, name: string, why: string) =>
    new ApiError({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`,
      details: details(subject, name),
    }),

  stale: (subject: ErrorSubject, name: string) =>
    statusErrors.conflict(
      subject,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),

  invalid: (subject: ErrorSubject, name: string, causes: readonly FieldError[]) => {
    // The details contain every cause, but the message contains each distinct cause only once (apimachinery,
    // `field.ErrorList.ToAggregate`).
    const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))]
    const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
    return new ApiError({
      code: 422,
      reason: 'Invalid',
      message: `${subject.group === '' ? subject.kind : `${subject.kind}.${subject.group}`} "${name}" is invalid: ${text}`,
      details: {
        ...(name === '' ? {} : { name }),
        ...(subject.group === '' ? {} : { group: subject.group }),
        kind: subject.kind,
        causes: causes.map(
          (cause): StatusCause => ({ reason: cause.reason, message: cause.message, field: cause.field }),
        ),
      },
    })
  },

  badRequest: (message: string) => new ApiError({ code: 400, reason: 'BadRequest', message }),

  forbidden: (subject: ErrorSubject, name: string, why: string, causes?: readonly StatusCause[]) =>
    new ApiError({
      code: 403,
      reason: 'Forbidden',
      message: `${qualified(subject)} "${name}" is forbidden: ${why}`,
      details: { ...details(subject, name), ...(causes === undefined ? {} : { causes }) },
    }),

  tooManyRequests: (message: string, retryAfterSeconds: Seconds, causes: readonly StatusCause[]) =>
    new ApiError({
      code: 429,
      reason: 'TooManyRequests',
      message,
      details: { causes, ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}) },
    }),

  expired: (requested: number, oldest: number) =>
    new ApiError({ code: 410, reason: 'Expired', message: `too old resource version: ${requested} (${oldest})` }),

  continueExpired: () =>
    new ApiError({
      code: 410,
      reason: 'Expired',
      message:
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    }),

  noSuchResource: () =>
    new ApiError({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource' }),

  methodNotAllowed: (subject: ErrorSubject, verb: string) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `${verb} is not supported on resources of kind "${qualified(subject)}"`,
      details: { ...(subject.group === '' ? {} : { group: subject.group }), kind: subject.plural },
    }),
}

/** An error in one field. `message` is the complete text, for example `Required value`. */
export interface FieldError {
  readonly field: string
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueTypeInvalid'
    | (string & {})
  readonly message: string
}

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : JSON.stringify(value))

export const fieldErrors = {
  required: (field: string, why = ''): FieldError => ({
    field,
    reason: 'FieldValueRequired',
    message: why === '' ? 'Required value' : `Required value: ${why}`,
  }),
  invalid: (field: string, value: unknown, why: string): FieldError => ({
    field,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${shown(value)}: ${why}`,
  }),
  forbidden: (field: string, why: string): FieldError => ({
    field,
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
  }),
  duplicate: (field: string, value: unknown): FieldError => ({
    field,
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${shown(value)}`,
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): FieldError => ({
    field,
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shown(value)}: supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
  }),
}
