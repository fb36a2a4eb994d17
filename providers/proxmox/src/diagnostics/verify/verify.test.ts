import { groupVersion } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { proxmoxNodeClassDescriptor } from '../../node-class/node-class-descriptor.ts'
import { proxmoxNodeClassKind } from '../../node-class/proxmox-node-class.ts'
import { proxmoxTemplateResource } from '../../node-class/proxmox-template.ts'
import { unmanagedTemplateKind, unmanagedTemplateResource } from '../../node-class/unmanaged-template.ts'
import { neededPrivileges } from '../../privileges/needed-privileges.ts'
import { fakeApi, newFakes } from '../../testing/proxmox-harness.ts'
import { runVerify, type VerifyOptions } from './run-verify.ts'

const setUp = async () => {
  const fakes = newFakes()
  const client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
  const { resource } = proxmoxNodeClassDescriptor
  await installCustomResources(client, [resource, proxmoxTemplateResource, unmanagedTemplateResource])
  await client.create(proxmoxNodeClassKind, proxmoxNodeClassDescriptor.example)
  await client.create(unmanagedTemplateKind, {
    ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
    ...{ metadata: { name: 'default' }, spec: { templateName: 'talos' } },
  })
  const run = async (options: Partial<VerifyOptions> = {}, withCluster = true) => {
    let text = ''
    const code = await runVerify(
      { output: 'table', ...options },
      { stdout: { write: (part) => (text += part) }, env: {} },
      {
        ...{ client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: async () => new Map([...fakes.proxmox].map(([region, fake]) => [region, fakeApi(fake, fakes.clock)])),
      },
    )
    return { code, text }
  }
  return { ...fakes, client, run }
}

test('complete Proxmox clusters pass, and nothing is changed', async () => {
  const { home, run } = await setUp()
  const before = home.cluster.guests.size
  const { code, text } = await run()
  expect([code, text]).toEqual([
    0,
    expect.stringContaining('9 passed, 0 warnings, 0 failed, 1 skipped; nothing was changed'),
  ])
  expect(text).toContain('pve-1 has 64 CPUs and 256 GiB, pve-2 has 64 CPUs and 256 GiB')
  expect([home.cluster.guests.size, home.calls.filter((call) => !call.startsWith('GET '))]).toEqual([before, []])
})

test('a missing privilege is reported with what fails without it', async () => {
  const { home, run } = await setUp()
  home.privileges = new Map([...home.privileges].filter(([path]) => path !== '/mapping/pci'))
  const { code, text } = await run()
  expect([code, text]).toEqual([3, expect.stringContaining('it lacks Mapping.Use on /mapping/pci (make templates')])
  expect(text).toContain('grant the roles that "kerf proxmox roles" prints')
  expect((await run({ without: ['templates'] })).code).toBe(0)
})

test('each privilege is named if the token lacks it, and no other privilege is', async () => {
  const { home, run } = await setUp()
  const granted = home.privileges
  const needed = new Set(neededPrivileges().map(({ path, privilege }) => `${privilege} on ${path}`))
  const named = new Map<string, readonly string[]>()
  for (const each of needed) {
    const [lost = '', at = ''] = each.split(' on ')
    home.privileges = new Map(
      [...granted].map(([path, all]) => [path, path === at ? all.filter((name) => name !== lost) : all]),
    )
    const { code, text } = await run()
    named.set(
      each,
      [...needed].filter((other) => code === 3 && text.includes(`${other} (`)),
    )
  }
  expect(named).toEqual(new Map([...needed].map((each) => [each, [each]])))
})

test('a token that Proxmox refuses is reported with the remedy', async () => {
  const { home, run } = await setUp()
  home.isTokenExpired = true
  const { code, text } = await run()
  expect([code, text]).toEqual([3, expect.stringContaining('check token_id and token_secret in CLOUD_CONFIG')])
})

test('hypervisors in maintenance and missing templates are reported', async () => {
  const { home, run } = await setUp()
  home.cluster.change('pve-1', { isInMaintenance: true })
  home.cluster.change('pve-2', { isOnline: false })
  home.cluster.guests.clear()
  const { checks } = JSON.parse((await run({ output: 'json' })).text)
  const failed = checks.filter(({ outcome }: { readonly outcome: string }) => outcome === 'failed')
  expect(failed.map(({ seen }: { readonly seen: string }) => seen)).toEqual([
    'pve-1 is in maintenance, pve-2 is offline',
    'none has it',
  ])
})

test('without a Kubernetes cluster, the checks of its objects are skipped', async () => {
  const { run } = await setUp()
  expect((await run({}, false)).text).toContain('6 passed, 0 warnings, 0 failed, 2 skipped')
})

test('unusable settings are a usage error', async () => {
  const connect = async () => {
    throw new Error('CLOUD_CONFIG is not set')
  }
  const signal = new AbortController().signal
  const streams = { stdout: { write: () => undefined }, env: {} }
  await expect(runVerify({ output: 'json' }, streams, { client: undefined, signal, connect })).rejects.toThrow(
    UsageError,
  )
})
