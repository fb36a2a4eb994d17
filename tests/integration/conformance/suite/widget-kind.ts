import { type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { afterAll, beforeAll } from 'vitest'
import { type ConformanceTarget, eventually, uniqueName } from '../target.ts'

/** An object of a kind that the suite defines. */
export interface Widget extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

/** The group of all kinds that the suite defines. */
export const GROUP = 'conformance.kerf.dev'

const specSchema = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    colour: { type: 'string', default: 'red', enum: ['red', 'green', 'blue'] },
    code: { type: 'string', pattern: '^[A-Z]{3}$', maxLength: 3 },
    amount: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ratio: { type: 'number' },
    since: { type: 'string', format: 'date-time' },
    from: { type: 'integer' },
    to: { type: 'integer' },
    replicas: { type: 'integer', minimum: 0 },
    origin: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'origin is fixed' }] },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    labels: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 5 } },
    tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9 }, 'x-kubernetes-list-type': 'set' },
    parts: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 9 }, weight: { type: 'integer', default: 1 } },
      },
    },
    inner: { type: 'object', default: {}, properties: { deep: { type: 'boolean', default: true } } },
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.from) || !has(self.to) || self.from <= self.to',
      message: 'from must not be above to',
      fieldPath: '.from',
    },
    {
      rule: "self.size < 9 || self.colour == 'blue'",
      messageExpression: "self.size == 9 ? 'nine must be blue' : 'ten must be blue'",
    },
  ],
}

/** Returns a CRD whose schema uses most features of CRD schemas. */
export const widgetDefinition = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural, kind, singular: kind.toLowerCase(), shortNames: [`${plural.slice(0, 3)}x`], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: specSchema,
              status: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  selector: { type: 'string' },
                  phase: { type: 'string', enum: ['New', 'Old'] },
                },
              },
            },
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        selectableFields: [{ jsonPath: '.spec.colour' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
})

/** Defines a kind that no other suite uses. Installs it before the calling suite's tests. Call this inside `describe`. */
export const ownWidgets = (target: ConformanceTarget): ResourceKind<Widget> => {
  const plural = `widgets${uniqueName('').replaceAll('-', '')}`
  const kind: ResourceKind<Widget> = {
    group: GROUP,
    version: 'v1',
    kind: `Widget${plural.slice(7)}`,
    plural,
    namespaced: true,
  }
  beforeAll(async () => {
    await target.client().create(kinds.CustomResourceDefinition, widgetDefinition(plural, kind.kind))
    await eventually(target, async () => {
      await target.client().list(kind)
    })
  })
  afterAll(() => target.client().delete(kinds.CustomResourceDefinition, { name: `${plural}.${GROUP}` }))
  return kind
}
