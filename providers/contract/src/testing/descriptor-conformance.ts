import { compileAdmission, crdManifests, type KubeObject, labels } from '@kerf/apis'
import { crdProblems, noCrdProblems } from '@kerf/apis/conformance'
import { coreSettings, OWN_NAMESPACE } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { nodeClassEdits } from '../node-class-edits.ts'
import { CAPACITY_TYPES } from '../offerings.ts'
import type { NodeClassDescriptor, ProviderDescriptor } from '../provider-descriptor.ts'
import { singleValue } from '../requirements.ts'

const admissionOf = ({ resource }: NodeClassDescriptor) => {
  const [crd] = crdManifests({ resources: [resource] })
  if (crd === undefined) throw new Error(`${resource.kind.kind} has no CRD`)
  return compileAdmission({ kind: resource.kind, schema: crd.manifest.spec.versions[0].schema.openAPIV3Schema })
}

/** Returns the node class with a different value in the field. The CRD may reject that value, but this does not affect the hash. */
const edited = (nodeClass: KubeObject, field: string): KubeObject => {
  const { spec }: KubeObject & { readonly spec?: object } = nodeClass
  return { ...nodeClass, ...{ spec: { ...spec, [field]: [{ name: 'edited' }] } } }
}

const nodeClassTests = (descriptor: NodeClassDescriptor): void => {
  const { resource, example, hash, selectors, columns = [] } = descriptor

  test('the CRD accepts the example and contains all its fields', () => {
    const admission = admissionOf(descriptor).create(example)
    expect(admission).toMatchObject({ accepted: true, unknownFields: [] })
  })

  test('the CRD has descriptions, complete lists and rules, and YAML that every parser reads in the same way', () => {
    for (const file of crdManifests({ resources: [resource] })) expect(crdProblems(file)).toEqual(noCrdProblems)
  })

  test('selectors are fields of the spec', () => {
    const { properties = {} }: { readonly properties?: object } = resource.spec
    const fields = selectors.map((path) => path.split('.')[0])
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields))
  })

  test('each condition has a meaning for the reference page', () => {
    const { dependents, independent = [] } = descriptor.conditions
    expect(Object.keys(descriptor.conditionMeanings).toSorted()).toEqual([...dependents, ...independent].toSorted())
  })

  test('columns show fields of the spec and the status', () => {
    const fieldsOf = ({ properties = {} }: { readonly properties?: object }) => Object.keys(properties)
    const fields = { spec: fieldsOf(resource.spec), status: fieldsOf(resource.status) }
    for (const { paths } of columns) for (const [part, field] of paths) expect(fields[part]).toContain(field)
  })

  test('an unchanged class does not drift; an edit of a selector causes at least possible drift', () => {
    expect(nodeClassEdits(descriptor, example, structuredClone(example))).toEqual([])
    for (const field of selectors) {
      const after = edited(example, field)
      const effect = hash?.of(after) === hash?.of(example) ? 'may-drift' : 'drift'
      expect(nodeClassEdits(descriptor, example, after)).toEqual([{ field, effect }])
    }
  })
}

const fieldTests = (descriptor: NodeClassDescriptor): void => {
  const { example, unhashed = [], typeNeutral = [], resource, imageFamily } = descriptor

  test('every field that keeps the instance types is a field of the spec', () => {
    const { properties = {} }: { readonly properties?: object } = resource.spec
    expect(typeNeutral.filter((field) => !(field in properties))).toEqual([])
  })

  test('an edit of a field that is not hashed causes no drift', () => {
    for (const field of unhashed)
      expect(nodeClassEdits(descriptor, example, edited(example, field))).toEqual([{ field, effect: 'none' }])
  })

  test('the hashed image family comes from its field, or else from an alias', () => {
    if (imageFamily === undefined) return
    const { field, terms, aliases, otherwise, isFieldHashed = false } = imageFamily
    const { spec }: KubeObject & { readonly spec?: object } = example
    const classOf = (more: object): KubeObject => ({ ...example, ...{ spec: { ...spec, ...more } } })
    for (const [alias, family] of [...Object.entries(aliases), [undefined, otherwise] as const]) {
      const term = alias === undefined ? { id: 'ami-1' } : { alias: `${alias}@latest` }
      const selecting = classOf({ [terms]: [term] })
      const naming = classOf({ [terms]: [term], [field]: family })
      const effect = isFieldHashed ? 'drift' : 'none'
      expect(nodeClassEdits(descriptor, selecting, naming)).toEqual([{ field, effect }])
      const another = Object.values(aliases).find((each) => each !== family)
      expect(nodeClassEdits(descriptor, selecting, classOf({ [terms]: [term], [field]: another }))).toEqual([
        { field, effect: 'drift' },
      ])
    }
  })
}

/** Defines tests that verify that the command line, the charts and the reference pages can use the descriptor. */
export const defineDescriptorConformance = (descriptor: ProviderDescriptor): void => {
  const {
    name,
    nodeClasses,
    permissions,
    managementPermissions = [],
    capabilities,
    chart,
    instanceTypes,
    legacy,
  } = descriptor
  describe(`the descriptor of ${descriptor.title}`, () => {
    test('the name is valid as a flag value, as a folder name and in a Helm template', () => {
      expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
    })

    describe.each(nodeClasses.map((each) => [each.resource.kind.kind, each] as const))('%s', (_, nodeClass) => {
      nodeClassTests(nodeClass)
      fieldTests(nodeClass)
    })

    test.skipIf(legacy === undefined)('the CRD of the old kind follows the same rules', async () => {
      const { resource } = (await legacy?.load()) ?? expect.unreachable()
      expect(resource.kind.kind).toBe(legacy?.kind)
      const resources = [resource]
      for (const file of crdManifests({ resources })) expect(crdProblems(file)).toEqual(noCrdProblems)
    })

    test('the process may read every node class', () => {
      for (const { resource } of nodeClasses) {
        const verbs = permissions
          .filter(({ kind, subresource }) => kind === resource.kind && subresource === undefined)
          .flatMap((each) => each.verbs)
        expect(verbs).toEqual(expect.arrayContaining(['get', 'list', 'watch']))
      }
    })

    test('each namespace of a permission has a Role name', () => {
      const named = new Set(permissions.flatMap(({ namespace = OWN_NAMESPACE }) => namespace))
      named.delete(OWN_NAMESPACE)
      expect(Object.keys(chart.roleSuffixes).toSorted()).toEqual([...named].toSorted())
    })

    test('permissions on a management cluster apply to all namespaces', () => {
      expect(managementPermissions.filter(({ namespace }) => namespace !== undefined)).toEqual([])
    })

    test('settings have a flag or a variable, and do not repeat those of the core', () => {
      const table = descriptor.settings()
      for (const [key, { flag, env, meaning }] of Object.entries(table)) {
        expect(flag ?? env, key).toBeDefined()
        expect(meaning, key).not.toBe('')
        expect(key in coreSettings, key).toBe(false)
      }
    })

    test('a permission that depends on a setting of the provider has its variable and default', () => {
      const table = Object.values(descriptor.settings())
      for (const { when } of [...permissions, ...managementPermissions]) {
        if (when === undefined || typeof when === 'string') continue
        const own = table.find(({ env }) => env === when.env)
        expect(own?.default, when.env).toBe(when.default)
      }
    })

    test('capacity types are valid and unique', () => {
      expect(capabilities.capacityTypes.length).toBeGreaterThan(0)
      expect(CAPACITY_TYPES.filter((each) => capabilities.capacityTypes.includes(each))).toHaveLength(
        capabilities.capacityTypes.length,
      )
    })

    test.skipIf(instanceTypes === undefined)('offline instance types are possible in the cloud', async () => {
      const types = (await instanceTypes?.load()) ?? []
      expect(types.length).toBeGreaterThan(0)
      expect(new Set(types.map((type) => type.name)).size).toBe(types.length)
      const sold = new Set(
        types.flatMap(({ offerings }) =>
          offerings.map(({ requirements }) => singleValue(requirements, labels.capacityType)),
        ),
      )
      expect(capabilities.capacityTypes).toEqual(expect.arrayContaining([...sold]))
      const promising = types.filter(({ dynamicResources }) => dynamicResources !== undefined)
      if (!capabilities.devices) expect(promising).toEqual([])
    })
  })
}
