import { HttpError, readField, readTextField } from '@kerf/provider-kit'
import { AzureApiError } from './azure-api-error.ts'

const contentOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the error in an answer. Resource Manager puts it into the field `error`. AKS returns some of its own errors without that
 * field. Azure's SDK for Go also reads both formats.
 */
const refusalOf = ({ answer, status }: HttpError): AzureApiError => {
  const content = contentOf(answer.text)
  const error = readField(content, 'error') ?? content
  return new AzureApiError({
    code: readTextField(error, 'code') ?? 'UnknownError',
    message: readTextField(error, 'message') ?? answer.text,
    status,
  })
}

/** Returns the Azure error of a call made without an SDK client. Returns any other thrown value unchanged. */
export const refused = (error: unknown): unknown => (error instanceof HttpError ? refusalOf(error) : error)
