import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualRetries } from '@kerf/provider-kit'
import { RecordingLogger, SeededRandom, SystemClock, silentLogger, VirtualClock } from '@kerf/runtime'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeAccount } from '../testing/fake-oci/fake-account.ts'
import { fakeApi } from '../testing/fake-oci/fake-api.ts'
import { FakeOci, fakeKey } from '../testing/fake-oci/fake-oci.ts'
import { serveOci } from '../testing/fake-oci/loopback.ts'
import { COMPARTMENT, REGION } from '../testing/fake-oci/names.ts'
import { throttled } from '../testing/fake-oci/refusal.ts'
import { launchSample } from '../testing/launch-sample.ts'
import { connectOci } from './connect-oci.ts'
import { isOciNotFound } from './oci-api-error.ts'

const { signal } = new AbortController()

/** Writes a temporary configuration file of Oracle's tools, and returns its path. */
const configFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'oci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const key = join(folder, 'key.pem')
  writeFileSync(key, fakeKey.privateKey)
  const file = join(folder, 'config')
  const { tenancy, user, fingerprint } = fakeKey
  const lines = { user, fingerprint, tenancy, region: REGION, key_file: key }
  writeFileSync(file, ['[DEFAULT]', ...Object.entries(lines).map(([name, value]) => `${name}=${value}`)].join('\n'))
  return file
}

it('calls leave no timers behind', async () => {
  const intervals = vi.spyOn(globalThis, 'setInterval')
  onTestFinished(() => intervals.mockRestore())
  const { api } = fakeApi(new VirtualClock(), { retries: usualRetries })
  await api.launch(launchSample, 'token', signal)
  expect(intervals).not.toHaveBeenCalled()
})

describe('retries', () => {
  it('repeat a throttled call, and log the request id without secrets', async () => {
    const clock = new VirtualClock()
    const log = new RecordingLogger()
    const { cloud, api } = fakeApi(clock, { retries: usualRetries, log })
    cloud.failNext('LaunchInstance', { refusal: throttled })
    const launched = api.launch({ ...launchSample, metadata: { user_data: 'c2VjcmV0' } }, 'token', signal)
    await clock.advance(60_000)
    await launched
    expect(log.lines).toMatchObject([{ level: 'info', fields: { code: 'TooManyRequests', request: 'REQUEST1' } }])
    expect(JSON.stringify(log.lines)).not.toMatch(/c2VjcmV0|PRIVATE KEY|Signature/)
  })

  it('repeat a launch whose response was lost, which creates only one instance', async () => {
    const clock = new VirtualClock()
    const { cloud, account, api } = fakeApi(clock, { retries: usualRetries })
    cloud.failNext('LaunchInstance', { refusal: 'network', isAfterwards: true })
    const launched = api.launch(launchSample, 'token', signal)
    await clock.advance(60_000)
    await launched
    expect(account.instances.size).toBe(1)
    expect(cloud.count('LaunchInstance')).toBe(2)
  })

  it('do not repeat a launch for which no host has capacity', async () => {
    const { cloud, account, api } = fakeApi(new VirtualClock(), { retries: usualRetries })
    account.stockOuts = [{}]
    await expect(api.launch(launchSample, 'token', signal)).rejects.toThrow(
      'LaunchInstance: InternalError: Out of host capacity. (request REQUEST1)',
    )
    expect(cloud.count('LaunchInstance')).toBe(1)
  })
})

describe('credentials', () => {
  it('that are refused cause an error with the code', async () => {
    const { cloud, api } = fakeApi(new VirtualClock())
    cloud.keys.clear()
    await expect(api.instances(COMPARTMENT, signal)).rejects.toMatchObject({ status: 401, code: 'NotAuthenticated' })
  })

  it('come from a configuration file, and the SDK reaches the services over sockets', async () => {
    const clock = new SystemClock()
    const fake = new FakeOci(new FakeAccount(clock))
    const served = await serveOci(fake)
    onTestFinished(() => served.close())
    const auth = { kind: 'config-file', file: configFile(), profile: '' } as const
    const deps = { clock, random: new SeededRandom('calls'), log: silentLogger, env: {}, version: 'test' }
    const { api, region } = await connectOci({ auth, region: '', endpoint: served.url }, deps)
    expect(region).toBe(REGION)
    const { instance, workRequestId = '' } = await api.launch(launchSample, 'token', signal)
    expect((await api.instances(COMPARTMENT, signal)).map(({ id }) => id)).toEqual([instance.id])
    expect((await api.workRequest(workRequestId, signal)).status).toBe('SUCCEEDED')
    expect((await api.availabilityDomains(COMPARTMENT, signal)).length).toBe(3)
    expect((await api.bootVolumeAttachments(COMPARTMENT, instance.availabilityDomain, signal)).length).toBe(1)
    await api.terminate(instance.id, signal)
    expect(fake.problems).toEqual([])
  })

  it('that do not exist cause an error with the remedy', async () => {
    const auth = { kind: 'config-file', file: '/nowhere/config', profile: '' } as const
    const deps = {
      clock: new VirtualClock(),
      random: new SeededRandom('calls'),
      log: silentLogger,
      env: {},
      version: 'test',
    }
    await expect(connectOci({ auth, region: '', endpoint: '' }, deps)).rejects.toThrow(
      /config-file gives no credentials/,
    )
  })
})

it('reports an object that does not exist as not found', async () => {
  const { api } = fakeApi(new VirtualClock())
  const error: unknown = await api.instance('ocid1.instance.oc1..none', signal).catch((thrown: unknown) => thrown)
  expect(isOciNotFound(error)).toBe(true)
})
