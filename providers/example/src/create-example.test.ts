import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderContext } from '@kerf/provider-contract'
import { SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { createExample } from './create-example.ts'
import { FakeServers } from './testing/fake-servers.ts'
import { HttpServers } from './testing/http-servers.ts'

const never = new AbortController().signal
const surroundings = { env: {}, version: '1.2.3' }

const contextOf = (clock: VirtualClock): ProviderContext => {
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  return { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
}

test('the provider reaches its cloud over real connections, with the key in the file', async () => {
  const clock = new VirtualClock()
  const servers = new FakeServers(clock, 4_000)
  servers.put({ token: 'a', type: 's-2', zone: 'example-1a', isSpot: false, tags: { kerf: 'owned' } }, 0)
  const http = new HttpServers(servers, clock, 'the key')
  const cloud = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method, url = '', headers } = incoming
    const answer = await http.send(
      {
        method: method as 'GET',
        url: new URL(url, 'http://localhost'),
        headers: { authorization: headers.authorization ?? '' },
        body: Buffer.concat(chunks).toString(),
      },
      never,
    )
    outgoing.writeHead(answer.status, answer.headers).end(answer.text)
  })
  cloud.listen(0, '127.0.0.1')
  await once(cloud, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'kerf-example-'))
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, 'the key\n')
  try {
    const endpoint = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`
    const { provider } = await createExample({ endpoint, keyFile }, contextOf(clock), surroundings)
    expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual(['example:///srv-1'])
  } finally {
    cloud.closeAllConnections()
    cloud.close()
    rmSync(folder, { recursive: true })
  }
})

test('if the address or the key is missing, the error says what to set', async () => {
  const context = contextOf(new VirtualClock())
  await expect(createExample({ endpoint: '', keyFile: '' }, context, surroundings)).rejects.toThrow('EXAMPLE_ENDPOINT')
  const missing = { endpoint: 'https://example.invalid', keyFile: '/none/key' }
  await expect(createExample(missing, context, surroundings)).rejects.toThrow('/none/key')
})
