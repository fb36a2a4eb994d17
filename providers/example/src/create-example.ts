import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { runtimeErrors } from '@kerf/runtime'
import { ExampleProvider } from './example-provider.ts'
import { httpServerApi } from './http-server-api.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }

/**
 * Creates the provider over HTTP, through the proxy that the environment configures.
 *
 * @throws Error if there is no address, or no file with the key.
 */
export const createExample = async (
  { endpoint, keyFile }: { readonly endpoint: string; readonly keyFile: string },
  context: ProviderContext,
  { env, version }: Pick<ProviderSurroundings, 'env' | 'version'>,
): Promise<RunningProvider> => {
  if (!URL.canParse(endpoint)) {
    const problem = `EXAMPLE_ENDPOINT is ${JSON.stringify(endpoint)}, which is no address; set it to the cloud's URL`
    throw runtimeErrors.InvalidSetting({ problems: [problem] })
  }
  const key = (await readFile(keyFile, 'utf8')).trim()
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const { clock, random } = context
  return { provider: new ExampleProvider(context, httpServerApi({ endpoint, key, send, clock, random })) }
}
