import { lazily } from '@kerf/provider-kit'
import type { ResourceGraphApi } from './azure-api.ts'
import { AzureApiError } from './azure-api-error.ts'
import { clientOptions, noCredential, type SdkOptions, withoutTokens } from './sdk-clients.ts'
import { asked } from './sdk-error.ts'

/** The maximum number of rows in one answer of Resource Graph. */
const ROWS = 1_000

type Row = Readonly<Record<string, unknown>>

/** Returns the API for queries over the resources of the subscription, through the SDK. */
export const sdkResourceGraph = (options: SdkOptions): ResourceGraphApi => {
  const { subscription, http } = options
  const client = lazily(async () => {
    const { ResourceGraphClient } = await import('./clients/resource-graph.ts')
    return withoutTokens(new ResourceGraphClient(noCredential, clientOptions(options, http)))
  })
  return {
    query: (query, abortSignal) =>
      asked(async () => {
        const rows: Row[] = []
        let skipToken: string | undefined
        do {
          const page = await (await client()).resources(
            {
              query,
              subscriptions: [subscription],
              options: { resultFormat: 'objectArray', top: ROWS, ...(skipToken === undefined ? {} : { skipToken }) },
            },
            { abortSignal },
          )
          if (!Array.isArray(page.data))
            throw new AzureApiError({ code: 'UnknownAnswer', message: 'Resource Graph returned no rows' })
          rows.push(...page.data)
          skipToken = page.skipToken
          if (skipToken === undefined && page.resultTruncated === 'true')
            throw new AzureApiError({ code: 'TruncatedAnswer', message: 'Resource Graph truncated its response' })
        } while (skipToken !== undefined && skipToken !== '')
        return rows
      }, abortSignal),
  }
}
