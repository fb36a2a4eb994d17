import {
  type Condition,
  groupVersion,
  type KubeObject,
  karpenterKinds,
  type NewObject,
  type NodeClaim,
} from '@kerf/apis'
import { type CustomResource, conditions, listField, object, optional, text } from '@kerf/apis/schema'
import type { ProviderContext } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import { nodeClaim } from '@kerf/testing'
import { createControllerHarness } from './controller-harness.ts'

/** A node class of a fictional cloud, for tests of the kit. */
export interface ServerClass extends KubeObject {
  readonly spec: { readonly image: string }
  readonly status?: {
    readonly image?: string
    readonly zones?: readonly string[]
    readonly conditions?: readonly Condition[]
  }
}

const description = 'for tests'

const resource: CustomResource<ServerClass> = {
  kind: {
    group: 'cloud.example',
    version: 'v1',
    kind: 'ServerClass',
    plural: 'serverclasses',
    namespaced: false,
  },
  singular: 'serverclass',
  shortNames: [],
  categories: [],
  description,
  printerColumns: [],
  spec: object({ image: text({ description }) }, { description }),
  specRequired: true,
  status: object(
    {
      image: optional(text({ description })),
      zones: optional(listField(text({ description }), { description, listType: 'set' })),
      conditions: optional(conditions()),
    },
    { description },
  ),
}

export const serverClassKind = resource.kind

/** Returns the ServerClass `default`. */
export const serverClass = (metadata: Partial<ServerClass['metadata']> = {}): NewObject<ServerClass> => ({
  apiVersion: groupVersion(serverClassKind),
  kind: serverClassKind.kind,
  metadata: { name: 'default', ...metadata },
  spec: { image: 'linux-1' },
})

/** Returns a NodeClaim that refers to the ServerClass `default`. */
export const serverClaim = (name: string, annotations: Readonly<Record<string, string>> = {}): NodeClaim =>
  nodeClaim(name, {
    spec: { nodeClassRef: { group: serverClassKind.group, kind: serverClassKind.kind, name: 'default' } },
    metadata: { annotations },
  })

/** Creates controllers on an API server in virtual time. The API server serves Karpenter's kinds and the ServerClass. */
export const createKitHarness = async (
  controllersOf: (context: ProviderContext) => readonly Controller[],
  interceptor?: Interceptor,
) => {
  const harness = await createControllerHarness({
    ...{ resources: [resource], controllersOf },
    ...(interceptor === undefined ? {} : { interceptor }),
  })
  return {
    ...harness,
    serverClass: () => harness.client.get(serverClassKind, { name: 'default' }),
    claim: (name: string) => harness.client.get(karpenterKinds.NodeClaim, { name }),
  }
}
