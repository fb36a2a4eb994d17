import { type KubeObject, kinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { allCrdManifests } from '../../../packages/cli/src/crds/crd-files.ts'
import { applyManifests } from '../../../packages/cli/src/manifests/apply-manifests.ts'
import { KindDirectory } from '../../../packages/cli/src/manifests/kind-directory.ts'
import { setUps } from './set-up.ts'
import { draftSetUp, writtenObjects } from './written.ts'

/** Creates an API server with Kerf's CRDs. */
const servedApi = async () => {
  const clock = new VirtualClock()
  const api = new SandboxApi({ clock, random: new SeededRandom(1) })
  const client = api.client()
  const directory = new KindDirectory(client)
  const crds = allCrdManifests()
  await applyManifests({ client, clock, kinds: directory }, crds, new AbortController().signal)
  await clock.advance(1_000)
  return { client, directory: new KindDirectory(client) }
}

/** All tests share this API server, because they store nothing but Namespaces in it. */
const served = servedApi()

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the names of fields and tags that an export sets. Skips values that a reader may ignore: an empty string, 0, false, or a default.
 */
const setFields = (value: Json): readonly string[] =>
  Object.entries(value)
    .filter(([, each]) => {
      if (isJson(each)) return Object.keys(each).length > 0
      if (Array.isArray(each)) return each.length > 0
      return !['', 0, false, null, undefined, 300, 'User', 'Linux'].includes(each as string)
    })
    .map(([key]) => key)

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Terraform fields that have a different name in the API, and therefore in the report. */
const RENAMED: Readonly<Record<string, string>> = {
  noderolearn: 'noderole',
  subnetids: 'subnets',
  taint: 'taints',
  tag: 'tags',
  vpcsecuritygroupids: 'securitygroupids',
  latestversion: 'versionnumber',
}
/** Fields that contain the name of a resource. The report shows them as the name of the object. */
const OWN_NAMES = ['id', 'name', 'description']

interface Description {
  readonly name: string
  readonly fields: readonly string[]
}

const terraformFields = (document: Json): readonly Description[] => {
  const resources = JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    isJson(value) && isJson(value['root_module']) ? value['root_module'] : value,
  ) as { readonly values?: { readonly child_modules?: readonly { readonly resources: readonly Json[] }[] } }
  return (resources.values?.child_modules ?? [])
    .flatMap((module) => module.resources)
    .filter(({ type }) => !String(type).endsWith('_tag'))
    .flatMap(({ address, values }) =>
      isJson(values)
        ? [
            {
              name: String(address),
              fields: setFields(values)
                .filter((field) => !OWN_NAMES.includes(field))
                .map((field) => RENAMED[plain(field)] ?? plain(field)),
            },
          ]
        : [],
    )
}

/** Returns the node groups and launch templates in a document, with the fields that they set. */
const descriptions = (document: unknown): readonly Description[] => {
  if (!isJson(document)) return []
  const lists = ['AutoScalingGroups', 'agentPoolProfiles', 'managedNodeGroups', 'nodeGroups']
  const found = [
    ...lists.flatMap((list) => (Array.isArray(document[list]) ? document[list].filter(isJson) : [])),
    ...(isJson(document['nodegroup']) ? [document['nodegroup']] : []),
  ]
  return [
    ...found.map((each) => ({
      name: String(each['name'] ?? each['nodegroupName'] ?? each['AutoScalingGroupName']),
      fields: setFields(each).map(plain),
    })),
    ...terraformFields(document),
  ]
}

const migrations = setUps.flatMap((setUp) => (['faithful', 'merged'] as const).map((variant) => ({ setUp, variant })))

// The nightly run tests all set-ups. Changes to the migration also run written-objects-cluster.test.ts, which tests them on a real API
// server.
for (const { setUp, variant } of sampled(migrations, 5, 'set-ups'))
  test(`${setUp.name}, ${variant}: an API server accepts the output, and the report names every field and flag`, async () => {
    const folder = await draftSetUp(setUp, variant)
    const { client, directory } = await served
    const objects = writtenObjects(setUp, folder)
    expect(objects.length).toBeGreaterThan(2)
    const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
    for (const name of names)
      await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }).catch(() => {})
    for (const object of objects) {
      const kind = await directory.find(object.apiVersion, object.kind)
      if (kind === undefined) throw new Error(`${object.kind} is not served`)
      const copy = { ...object, metadata: { ...object.metadata } } as KubeObject
      await client.create(kind, copy, { dryRun: true }).catch((error: unknown) => {
        throw new Error(`${object.kind} ${object.metadata.name}: ${String(error)}`)
      })
    }
    const reported = folder.conversions.flatMap(({ field }) => [plain(field), plain(field.replace(/^.*\./, ''))])
    for (const { name, fields } of setUp.documents.flatMap(descriptions))
      for (const field of fields) expect(reported, `${name} ${field}`).toContain(field)
    const flags = setUp.documents.flatMap((document) =>
      JSON.stringify(document).includes('cluster-autoscaler:v')
        ? (JSON.stringify(document).match(/"--[^"]+"/g) ?? [])
        : [],
    )
    for (const flag of flags) {
      const text = JSON.parse(flag) as string
      expect(reported).toContain(plain(text.includes('=') ? text : `${text}=true`))
    }
    for (const { to, because, fate } of folder.conversions) {
      if (fate === 'carried over') expect(to).toBeTruthy()
      else expect(because).toBeTruthy()
    }
  })
