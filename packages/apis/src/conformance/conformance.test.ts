import { expect, test } from 'vitest'
import { type Admission, compileAdmission, validateCreate, validateStatusUpdate, validateUpdate } from '../admission.ts'
import { crdManifests } from '../crd-manifest.ts'
import type { ResourceKind } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import { withAwsRules } from '../resources/aws-rules.ts'
import type { JsonObject } from '../schema/structural-schema.ts'
import { gadgetSchema } from './gadget-schema.ts'
import {
  awsLabelCases,
  type ConformanceTarget,
  checkCase,
  conformanceCases,
  gadgetCases,
  gadgetKind,
  type WriteResult,
} from './index.ts'

/** Returns a validator that stores one object, which is enough for a case. */
const remembering = (admit: {
  readonly create: (kind: ResourceKind, object: JsonObject) => Admission<KubeObject>
  readonly update: (kind: ResourceKind, old: JsonObject, object: JsonObject) => Admission<KubeObject>
  readonly updateStatus: (kind: ResourceKind, old: JsonObject, object: JsonObject) => Admission<KubeObject>
}): ConformanceTarget => {
  let stored: JsonObject = {}
  const keep = (admission: Admission<KubeObject>): Promise<WriteResult> => {
    if (!admission.accepted) {
      return Promise.resolve({ accepted: false, fields: admission.errors.map(({ field }) => field) })
    }
    stored = { ...admission.object }
    return Promise.resolve({ accepted: true, object: stored })
  }
  return {
    create: (kind, object) => keep(admit.create(kind, object)),
    update: (kind, object) => keep(admit.update(kind, stored, object)),
    updateStatus: (kind, object) => keep(admit.updateStatus(kind, stored, object)),
    remove: () => Promise.resolve(),
  }
}

const library = (): ConformanceTarget =>
  remembering({ create: validateCreate, update: validateUpdate, updateStatus: validateStatusUpdate })

const cases = conformanceCases()

test('the table is large, has accepted and refused cases of every operation, and no duplicate names', () => {
  expect(cases.length).toBeGreaterThan(400)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  for (const operation of ['create', 'update', 'update-status']) {
    for (const accepted of [true, false]) {
      const some = cases.filter((each) => each.operation === operation && each.expect.accepted === accepted)
      expect(some.length, `${operation}, accepted: ${accepted}`).toBeGreaterThan(10)
    }
  }
})

test.each(cases)('$name', async (each) => {
  expect(await checkCase(library(), each)).toBeUndefined()
})

/** A kind that the library does not define. */
const gadgetAdmission = compileAdmission({ kind: gadgetKind, schema: gadgetSchema })
const gadgets = (): ConformanceTarget =>
  remembering({
    create: (_, object) => gadgetAdmission.create(object),
    update: (_, old, object) => gadgetAdmission.update(old, object),
    updateStatus: (_, old, object) => gadgetAdmission.updateStatus(old, object),
  })

test.each(gadgetCases())('$name', async (each) => {
  expect(await checkCase(gadgets(), each)).toBeUndefined()
})

/** The kinds with the schemas of the CRDs for AWS. */
const awsManifests = crdManifests({ rules: withAwsRules })
const awsAdmissions = new Map<string, ReturnType<typeof compileAdmission>>()
const awsAdmission = (kind: ResourceKind) => {
  const known = awsAdmissions.get(kind.kind)
  if (known !== undefined) return known
  const found = awsManifests.find(({ manifest }) => manifest.spec.names.kind === kind.kind)
  if (found === undefined) throw new Error(`AWS has no ${kind.kind}`)
  const admission = compileAdmission({ kind, schema: found.manifest.spec.versions[0].schema.openAPIV3Schema })
  awsAdmissions.set(kind.kind, admission)
  return admission
}

test.each(awsLabelCases())('on AWS: $name', async (each) => {
  const admission = awsAdmission(each.kind)
  const target = remembering({
    create: (_, object) => admission.create(object),
    update: (_, old, object) => admission.update(old, object),
    updateStatus: (_, old, object) => admission.updateStatus(old, object),
  })
  expect(await checkCase(target, each)).toBeUndefined()
})
