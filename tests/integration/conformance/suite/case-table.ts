import { type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import {
  type ConformanceTarget as CaseTarget,
  type ConformanceCase,
  checkCase,
  conformanceCases,
  gadgetCases,
  gadgetDefinition,
  type WriteResult,
} from '@kerf/apis/conformance'
import { ApiError, isNotFound, type KubeClient } from '@kerf/runtime'
import { sampled } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles, crdFiles } from '../../../../packages/cli/src/crds/crd-files.ts'
import { providers } from '../../../../packages/cli/src/providers.ts'
import { loadConformance } from '../../../../tools/provider-conformance.ts'
import { type ConformanceTarget, eventually, targetMinor } from '../target.ts'

type Json = Parameters<CaseTarget['create']>[1]

/** Casts the object of a case without a check. It may be invalid, because the API decides that. */
const asObject = (object: Json): KubeObject => object as unknown as KubeObject

const outcome = async (write: Promise<KubeObject>): Promise<WriteResult> => {
  try {
    return { accepted: true, object: (await write) as unknown as Json }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) throw error
    return { accepted: false, fields: (error.details.causes ?? []).map(({ field }) => field ?? '') }
  }
}

const writer = (client: KubeClient): CaseTarget => {
  const current = async (kind: ResourceKind, object: KubeObject): Promise<KubeObject> => {
    const { name = '', namespace } = object.metadata
    const { metadata } = await client.get(kind, namespace === undefined ? { name } : { name, namespace })
    const { resourceVersion } = metadata
    return {
      ...object,
      metadata: { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    }
  }
  return {
    create: (kind, object) => outcome(client.create(kind, asObject(object))),
    update: async (kind, object) => outcome(client.update(kind, await current(kind, asObject(object)))),
    updateStatus: async (kind, object) =>
      outcome(client.update(kind, await current(kind, asObject(object)), { subresource: 'status' })),
    remove: async (kind, name) => {
      try {
        await client.delete(kind, kind.namespaced ? { name, namespace: 'default' } : { name })
      } catch (error) {
        if (!isNotFound(error) && !(error instanceof ApiError && error.code === 400)) throw error
      }
    },
  }
}

/** Cases about `format: int32`. Kubernetes before 1.36 does not enforce this format for custom resources. */
const BEYOND_32_BITS = new Set(['CapacityBuffer: more replicas than 32 bits hold', 'Gadget: a number beyond 32 bits'])

/** The case tables that the providers export. */
const providerCases = await Promise.all(
  providers.map(async ({ name, title }) => ({ name, title, ...(await loadConformance(name)) })),
)
const coreRules = providerCases.flatMap(({ name, title, coreRuleCases }) =>
  coreRuleCases === undefined ? [] : [{ name, title, cases: coreRuleCases() }],
)

type Definition = KubeObject & { readonly spec: Readonly<Record<string, unknown>> }

/** Runs cases on kinds that are installed only for these tests. */
const runCases = (
  target: ConformanceTarget,
  definitions: readonly Definition[],
  cases: readonly ConformanceCase[],
): void => {
  beforeAll(async () => {
    for (const definition of definitions) await target.client().create(kinds.CustomResourceDefinition, definition)
    for (const kind of new Set(cases.map((each) => each.kind))) {
      await eventually(target, async () => {
        await target.client().list(kind)
      })
    }
  })
  afterAll(async () => {
    for (const { metadata } of definitions) {
      await target.client().delete(kinds.CustomResourceDefinition, { name: metadata.name })
      await eventually(target, async () => {
        const fieldSelector = `metadata.name=${metadata.name}`
        expect((await target.client().list(kinds.CustomResourceDefinition, { fieldSelector })).items).toEqual([])
      })
    }
  })
  test.each(cases)('$name', async (each) => {
    const isOlder = targetMinor(target) < 36 && BEYOND_32_BITS.has(each.name)
    expect(await checkCase(writer(target.client()), each)).toBe(
      isOlder ? 'accepted, should be refused for ' : undefined,
    )
  })
}

const drawnCases = ({ mostCases }: ConformanceTarget, cases: readonly ConformanceCase[]): readonly ConformanceCase[] =>
  mostCases === undefined ? cases : sampled(cases, mostCases, 'case table')

/** Defines tests from the validator's own tables of cases. The API must return the results in the tables. */
export const caseTable = (target: ConformanceTarget): void => {
  describe('Karpenter’s kinds, case by case', () => {
    const definitions = allCrdFiles().map(({ manifest }) => manifest as unknown as Definition)
    const cases = [...conformanceCases(), ...providerCases.flatMap(({ nodeClassCases }) => nodeClassCases?.() ?? [])]
    runCases(target, definitions, drawnCases(target, cases))
  })
  for (const { name, title, cases } of coreRules)
    describe(`Karpenter’s kinds with the schemas of ${title}, case by case`, () => {
      const definitions = crdFiles(name).map(({ manifest }) => manifest as unknown as Definition)
      runCases(target, definitions, drawnCases(target, cases))
    })
  describe('a made-up kind, case by case', () => {
    runCases(target, [gadgetDefinition as unknown as Definition], drawnCases(target, gadgetCases()))
  })
}
