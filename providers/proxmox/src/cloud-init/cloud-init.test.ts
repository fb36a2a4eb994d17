import { findCondition, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import type { InstanceView } from '@kerf/provider-contract'
import { create } from '@kerf/provider-contract/conformance'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CLOUD_INIT_TAG, cloudInitAnnotations } from '../names.ts'
import type { ProxmoxNodeClassSpec } from '../node-class/proxmox-node-class.ts'
import { FAKE_SECRET } from '../testing/fake-proxmox/fake-proxmox.ts'
import { createProxmoxHarness, FIRST_ID, type ProxmoxHarness } from '../testing/proxmox-harness.ts'
import { readIsoImage } from '../testing/read-iso-image.ts'
import { bootstrapTokenId } from './bootstrap-tokens.ts'
import { type Secret, secretKind } from './cluster-objects.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const DISK = `local:iso/user-data-${FIRST_ID}.iso`
const started: ProxmoxHarness[] = []
afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

const secret = (name: string, data: Readonly<Record<string, string>>): Secret => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'kube-system' } },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
})
const namespace = 'kube-system'
const metadataOptions: ProxmoxNodeClassSpec['metadataOptions'] = {
  ...{ type: 'cdrom', templatesRef: { name: 'templates', namespace }, valuesRef: { name: 'values', namespace } },
}

const harnessWith = async (
  templates: Readonly<Record<string, string>> = {},
  spec: Partial<ProxmoxNodeClassSpec> = { metadataOptions },
  secrets: readonly Secret[] = [secret('templates', templates), secret('values', { role: 'db' })],
): Promise<ProxmoxHarness> => {
  const harness = await createProxmoxHarness({ secrets, spec: { region: 'home', ...spec } })
  started.push(harness)
  await harness.client.create(kinds.ConfigMap, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace } },
    data: { 'ca.crt': 'AUTHORITY' },
  })
  return harness
}

const launched = async (
  harness: ProxmoxHarness,
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const made = await harness.claim('a', { requests: { cpu: '1' } })
  const view = await create({ ...harness, provider: harness.provider } as never, made)
  const { annotations, providerID } = view
  const ref = { name: 'a' }
  await harness.client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata: { annotations } } })
  const body = { status: { providerID } }
  const claim = await harness.client.patch(
    ...([karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { subresource: 'status' }] as const),
  )
  return { claim, view }
}

const guestOf = ({ home }: ProxmoxHarness) => {
  const guest = home.cluster.instances()[0]
  if (guest === undefined) throw new Error('there is no guest')
  return guest
}
const filesOf = ({ home }: ProxmoxHarness) => {
  const image = home.cluster.files.get(`${guestNode(home)}/${DISK}`)
  if (image === undefined) throw new Error('there is no cloud-init disk')
  return readIsoImage(image)
}
const guestNode = (home: ProxmoxHarness['home']): string => home.cluster.instances()[0]?.node ?? ''
const condition = async (harness: ProxmoxHarness): Promise<string> => {
  const { status, reason, message } = findCondition(await harness.nodeClass(), 'InstanceMetadataOptionsReady') ?? {}
  return `${status} ${reason}: ${message}`
}

test('a guest gets a disk with its files, and disk and token are deleted when the claim is initialized', async () => {
  const harness = await harnessWith({
    'user-data':
      '#cloud-config\n{{ .Metadata.Hostname }} {{ .Kubernetes.BootstrapToken }} {{ .Values.role }} {{ .Kubernetes.RootCA }}',
  })
  const { claim, view } = await launched(harness)
  const id = bootstrapTokenId(claim)
  const { label, files } = filesOf(harness)
  expect([label, Object.keys(files).toSorted()]).toEqual(['cidata', ['meta-data', 'network-config', 'user-data']])
  expect(files['user-data']).toMatch(new RegExp(`^#cloud-config\na ${id}\\.[0-9a-z]{16} db AUTHORITY$`))
  expect(parse(files['meta-data'] ?? '')).toMatchObject({
    ...{ 'instance-id': FIRST_ID, hostname: 'a', 'provider-id': view.providerID, region: 'home' },
  })
  expect(parse(files['network-config'] ?? '').network.ethernets).toEqual({
    eth0: expect.objectContaining({ dhcp4: true, mtu: 1500, match: { macaddress: expect.stringMatching(/^bc:24/) } }),
  })
  const guest = guestOf(harness)
  expect(guest).toMatchObject({ status: 'running', config: { ide2: `${DISK},media=cdrom` } })
  expect(guest.config['tags']).toContain(CLOUD_INIT_TAG)
  expect(view.annotations[cloudInitAnnotations.token]).toBe(id)
  const tokens = async () => (await harness.client.list(secretKind, { labelSelector: TOKENS })).items
  expect(await tokens()).toMatchObject([{ type: 'bootstrap.kubernetes.io/token', metadata: { namespace } }])
  const conditions = [
    { type: 'Initialized', status: 'True', reason: 'Initialized', message: '', lastTransitionTime: NOW },
  ]
  const body = { status: { conditions } }
  await harness.client.patch(
    ...([karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body }, { subresource: 'status' }] as const),
  )
  await harness.clock.advance(10_000)
  expect([await tokens(), [...harness.home.cluster.volumesOn(guest.node, 'local')]]).toEqual([[], []])
  expect(guest.config).toMatchObject({ ide2: 'none,media=cdrom', tags: 'karpenter;karpenter-demo' })
  expect(JSON.stringify([harness.events.events, harness.log])).not.toMatch(new RegExp(`${id}\\.|${FAKE_SECRET}`))
})

const TOKENS = 'karpenter.proxmox.sinextra.dev/bootstrap-token=true'
const NOW = '2026-01-01T00:00:00Z'

test('without templates, a guest has the default files', async () => {
  const harness = await harnessWith()
  await launched(harness)
  const { files } = filesOf(harness)
  const { write_files: written, hostname } = parse(files['user-data'] ?? '')
  expect([hostname, written.map(({ path }: { readonly path: string }) => path)]).toEqual(['a', ['/etc/karpenter.yaml']])
  const { kubernetes, metadata, resources, values } = parse(written[0].content)
  expect([metadata.hostname, resources.cpu, values]).toEqual(['a', 2, { role: 'db' }])
  expect(kubernetes).toMatchObject({
    rootca: 'AUTHORITY',
    kubeletconfiguration: {
      ...{ providerID: `proxmox://home/${FIRST_ID}`, kubeReserved: { cpu: '50m', memory: '384Mi' } },
      registerWithTaints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
      evictionHard: { 'memory.available': '100Mi' },
    },
  })
})

test('a guest that is deleted before it joins leaves neither a disk nor a token', async () => {
  const harness = await harnessWith()
  const { claim } = await launched(harness)
  const { node } = guestOf(harness)
  await harness.provider.delete(claim, never)
  await harness.clock.advance(10_000)
  expect(harness.home.cluster.instances()).toEqual([])
  expect([...harness.home.cluster.volumesOn(node, 'local')]).toEqual([])
  expect((await harness.client.list(secretKind, { labelSelector: TOKENS })).items).toEqual([])
})

test('another process continues a launch with its own disk and the same token', async () => {
  const harness = await harnessWith()
  const claim = await harness.claim('a')
  const ATTACH = 'PUT /nodes/{node}/qemu/{vmid}/config'
  harness.home.onCall = (method) => {
    if (method === ATTACH && harness.home.count('POST /nodes/{node}/storage/{storage}/upload') > 0)
      harness.home.fail(ATTACH, { code: 'ECONNRESET' })
  }
  await create({ ...harness, provider: harness.provider } as never, claim).catch(() => undefined)
  expect(guestOf(harness).status).toBe('stopped')
  const first = filesOf(harness).files['user-data']
  harness.home.onCall = () => undefined
  harness.home.recover()
  await create({ ...harness, provider: harness.newProvider() } as never, claim)
  expect(guestOf(harness).status).toBe('running')
  expect(filesOf(harness).files['user-data']).toBe(first)
})

test.each<readonly [string, Parameters<typeof harnessWith>, string]>([
  [
    'a template with an unknown function',
    [{ 'user-data': 'a\n{{ shell "ls" }}' }],
    'False MetadataOptionsInvalid: the template user-data cannot be used: line 2: there is no function shell',
  ],
  ['no templatesRef', [{}, { metadataOptions: { type: 'cdrom' } }], 'templatesRef needs the name and the namespace'],
  ['a missing Secret', [{}, { metadataOptions }, []], 'templatesRef: Secret kube-system/templates does not exist'],
])('%s is reported by the condition', async (_what, options, text) => {
  const harness = await harnessWith(...options)
  await harness.clock.advance(2_000)
  expect(await condition(harness)).toContain(text)
})

test('a corrected Secret makes the class ready within a minute', async () => {
  const harness = await harnessWith({ 'user-data': '{{ .Nope }}' })
  expect(await condition(harness)).toContain('a struct has no field Nope')
  const body = { data: { 'user-data': btoa('fine') } }
  await harness.client.patch(secretKind, { name: 'templates', namespace }, { type: 'merge', body })
  await harness.clock.advance(MINUTE + 1_000)
  expect(await condition(harness)).toMatch(/^True/)
})

test('a template may refer to every network card and its addresses before the first launch', async () => {
  const harness = await harnessWith({
    'network-config': '{{ index (index .Interfaces 1).Address4 0 }} {{ (index .Interfaces 5).Gateway6 }}',
  })
  await harness.clock.advance(2_000)
  expect(await condition(harness)).toMatch(/^True/)
})

test('a hypervisor without a storage for ISO files is skipped', async () => {
  const harness = await harnessWith()
  const { cluster } = harness.home
  cluster.storages = cluster.storages.map((each) =>
    each.node === 'pve-1' ? { ...each, contents: each.contents.filter((content) => content !== 'iso') } : each,
  )
  await harness.change({ tags: ['a'] })
  await harness.clock.advance(6_000)
  await harness.change({ tags: ['b'] })
  const { message } = findCondition(await harness.nodeClass(), 'InstanceTemplateReady') ?? {}
  expect(message).toContain('home/pve-1: no storage takes ISO files; turn on the content type iso')
})
