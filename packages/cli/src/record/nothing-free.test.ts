import { type KubeObject, karpenterKinds, kinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import { nodePool } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leanObject, omittedFieldsText } from './lean-objects.ts'
import { recordedKinds } from './recorder.ts'

/**
 * This file tests objects that contain every field of the API's own schemas and a secret in every text. The tests check which parts of
 * these objects a recording contains.
 */

type Schema = {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string
  readonly format?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[]
}
type Schemas = Readonly<Record<string, Schema>>

let server: SandboxServer
const documents = new Map<string, Schemas>()

beforeAll(async () => {
  const api = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) })
  await installCustomResources(api.client(), [])
  server = await SandboxServer.start(api)
  for (const { group, version } of [...recordedKinds, kinds.Pod]) {
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`
    const answer = await fetch(`${server.url}/openapi/v3/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    expect(answer.status, path).toBe(200)
    const { components } = (await answer.json()) as { components: { schemas: Schemas } }
    documents.set(`${group}/${version}`, components.schemas)
  }
})
afterAll(async () => {
  await server.close()
})

const REF = '#/components/schemas/'

/** Returns a value that matches the schema and has a secret in every string. Recursive schemas end after two levels. */
const full = (
  schema: Schema,
  schemas: Schemas,
  secret: () => string,
  above: ReadonlyMap<string, number> = new Map(),
): unknown => {
  const { $ref, allOf, oneOf, type, items, properties, additionalProperties } = schema
  if ($ref !== undefined) {
    const turns = above.get($ref) ?? 0
    const found = schemas[$ref.slice(REF.length)]
    if (turns > 1 || found === undefined) return {}
    return full(found, schemas, secret, new Map([...above, [$ref, turns + 1]]))
  }
  if (allOf?.[0] !== undefined) return full(allOf[0], schemas, secret, above)
  if (oneOf !== undefined || schema['x-kubernetes-int-or-string'] === true) return secret()
  if (type === 'array') return items === undefined ? [] : [full(items, schemas, secret, above)]
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, full(each, schemas, secret, above)]),
    )
  if (typeof additionalProperties === 'object')
    return { [secret()]: full(additionalProperties, schemas, secret, above) }
  if (type === 'string') return secret()
  if (type === 'integer' || type === 'number') return 7
  if (type === 'boolean') return true
  return { [secret()]: secret() }
}

const objectOf = (kind: (typeof recordedKinds)[number], secret: () => string): KubeObject => {
  const schemas = documents.get(`${kind.group}/${kind.version}`) ?? {}
  const schema = Object.values(schemas).find((each) =>
    each['x-kubernetes-group-version-kind']?.some((gvk) => gvk.kind === kind.kind),
  )
  if (schema === undefined) throw new Error(`no schema of ${kind.kind}`)
  const object = full(schema, schemas, secret) as KubeObject
  return { ...object, apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind }
}

/** Returns the paths of the strings that match the pattern, for example `spec.containers[].name` and `metadata.labels{}`. */
const parsePlaces = (value: unknown, form: RegExp, path = ''): readonly string[] => {
  if (typeof value === 'string') return form.test(value) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((each) => parsePlaces(each, form, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const isSecretKey = form.test(key)
    const place = isSecretKey ? `${path}{}` : path === '' ? key : `${path}.${key}`
    return [...(isSecretKey ? [place] : []), ...parsePlaces(each, form, place)]
  })
}

const everyKind = [...recordedKinds, kinds.Pod]
const secretsIn = (make: (number: number) => string) => {
  let number = 0
  return () => make(number++)
}

describe.each(everyKind.map((kind) => [kind.kind, kind] as const))('%s', (_, kind) => {
  test.each([
    ['a sentence', (n: number) => `Canary ${n} said so!`, /Canary/],
    ['a token', (n: number) => `eyJ.Canary_${n}==`, /Canary/],
    ['a variable', (n: number) => `$Canary${n}`, /Canary/],
  ])('keeps no free text, such as %s', (_form, make, form) => {
    const object = objectOf(kind, secretsIn(make))
    expect(parsePlaces(object, form).length).toBeGreaterThan(kind === karpenterKinds.NodeOverlay ? 10 : 15)
    expect(parsePlaces(leanObject(object), form)).toEqual([])
  })

  test('keeps names, label keys and label values only in fields that identify or select objects', () => {
    const object = objectOf(
      kind,
      secretsIn((number) => `canary-${number}`),
    )
    const kept = [...new Set(parsePlaces(leanObject(object), /canary/))]
    const ALLOWED = [
      // The name, the namespace and the labels of the object itself. Labels are recorded because selectors use them.
      /(^|\.)metadata\.(name|namespace|labels\{\})$/,
      // Selectors of pods, namespaces and nodes.
      /\.matchLabels\{\}$/,
      /\.(matchExpressions|matchFields|requirements|matchLabelExpressions)\[\]\.(key|values\[\])$/,
      /\.nodeSelector\{\}$/,
      /\.(topologyKey|matchLabelKeys\[\]|mismatchLabelKeys\[\])$/,
      /\.namespaces\[\]$/,
      // Taints and tolerations.
      /\.(taints|startupTaints|tolerations)\[\]\.(key|value)$/,
      // References to other objects.
      /\.(priorityClassName|runtimeClassName|storageClassName|claimName|serviceName)$/,
      /\.nodeClassRef\.(group|name)$/,
      /\.targetRefs\[\]\.name$/,
      // Names of schedulers, which pods select.
      /\.schedulerName(s\[\])?$/,
      // Names of containers and volumes.
      /\.(containers|initContainers|volumes)\[\]\.name$/,
      // The names and offerings of commitments.
      /\.commitments\[\]\.name$/,
      /\.prepaid\.(instanceType|region|zone|instanceTypes\[\]|rates\.instanceTypes\[\]\.instanceType)$/,
      /\.discount\.instanceTypes\[\]$/,
      // The offerings of declared prices.
      /\.priceBook\.prices\[\]\.(instanceType|zone)$/,
      // Names of drivers and runtimes.
      /^(handler|provisioner)$/,
    ]
    expect(kept.filter((place) => !ALLOWED.some((allowed) => allowed.test(place)))).toEqual([])
    expect(kept).toContain('metadata.name')
  })
})

test('annotations of a NodePool’s template are kept on request, but copies of whole objects are never kept', () => {
  const pool = nodePool('general', {
    templateMetadata: {
      annotations: {
        'example.com/token': 's3cret',
        'kubectl.kubernetes.io/last-applied-configuration': '{"env":"s3cret"}',
        'karpenter.sh/do-not-disrupt': 'true',
      },
    },
  })
  expect(JSON.stringify(leanObject(pool))).not.toMatch(/s3cret|example\.com/)
  expect(omittedFieldsText(pool)).toContain('example.com/token')
  const asked = JSON.stringify(leanObject(pool, new Set(['annotations'])))
  expect(asked).toContain('"example.com/token":"s3cret"')
  expect(asked).not.toContain('last-applied')
  expect(JSON.stringify(leanObject(pool))).toContain('"karpenter.sh/do-not-disrupt":"true"')
})
