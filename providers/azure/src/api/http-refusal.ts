import { fieldOf, HttpError, textFieldOf } from '@kerf/provider-kit'
import { AzureApiError } from './azure-api-error.ts'

const contentOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Resource Manager puts an error into `error`; AKS writes some of its own without, as Azure's SDK for Go reads them too. */
const refusalOf = ({ answer, status }: HttpError): AzureApiError => {
  const content = contentOf(answer.text)
  const error = fieldOf(content, 'error') ?? content
  return new AzureApiError({
    code: textFieldOf(error, 'code') ?? 'UnknownError',
    message: textFieldOf(error, 'message') ?? answer.text,
    status,
  })
}

/** What a call that the SDK has no client for was refused with; anything else that was thrown as it is. */
export const refused = (error: unknown): unknown => (error instanceof HttpError ? refusalOf(error) : error)
