import { HttpError } from '@kerf/provider-kit'
import { AzureApiError } from './azure-api-error.ts'

const refusalOf = ({ answer, status }: HttpError): AzureApiError => {
  try {
    const { error = {} }: { readonly error?: { readonly code?: string; readonly message?: string } } = JSON.parse(
      answer.text,
    )
    return new AzureApiError({ code: error.code ?? 'UnknownError', message: error.message ?? answer.text, status })
  } catch {
    return new AzureApiError({ code: 'UnknownError', message: answer.text, status })
  }
}

/** What a call that the SDK has no client for was refused with; anything else that was thrown as it is. */
export const refused = (error: unknown): unknown => (error instanceof HttpError ? refusalOf(error) : error)
