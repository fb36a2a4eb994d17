import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { callCause } from '../failures/call-cause.ts'
import { tokensFrom } from './credentials.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'kerf-gcp-credentials-'))
/** A token service that refuses every identity, as for a deleted or expired one. */
const refusing = createServer((_, response) => {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end('{"error":"invalid_grant","error_description":"The identity is not active."}')
})

beforeAll(async () => {
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => {
  refusing.close()
  rmSync(folder, { recursive: true })
})

const written = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** Writes a workload identity federation file that points to the refusing token service. Returns its path. */
const refusedIdentity = (): string => {
  const { port } = refusing.address() as AddressInfo
  return written(
    'identity.json',
    JSON.stringify({
      ...{ type: 'external_account', subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/demo/providers/demo',
      token_url: `http://127.0.0.1:${port}/token`,
      credential_source: { file: written('subject', 'token of the service account') },
    }),
  )
}

const cases: readonly (readonly [what: string, file: () => string, says: string])[] = [
  ['no credentials anywhere', () => '', 'Could not load the default credentials'],
  ['a file that does not exist', () => join(folder, 'missing.json'), 'missing.json'],
  ['a file that is not JSON', () => written('broken.json', 'no JSON'), 'JSON'],
  ['an identity that Google refuses', refusedIdentity, 'The identity is not active'],
]

test.each(cases)('%s: the message states the problem and the remedy', async (_, file, says) => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '')
  vi.stubEnv('HOME', folder)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
  const error = await tokensFrom(file())(never).catch((thrown: unknown) => thrown)
  expect(callCause(error)).toMatchObject({
    reason: 'CredentialsRefused',
    message: expect.stringMatching(new RegExp(`there is no token: .*${says}.*Check the workload identity`)),
  })
})
