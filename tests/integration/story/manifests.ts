import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import { parseAllDocuments } from 'yaml'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))

const byKind: Readonly<Record<string, ResourceKind>> = {
  Deployment: kinds.Deployment,
  NodePool: karpenterKinds.NodePool,
  KWOKNodeClass: kwokNodeClassKind,
  Pod: kinds.Pod,
  DeviceClass: kinds.DeviceClass,
  ResourceClaim: kinds.ResourceClaim,
  ResourceClaimTemplate: kinds.ResourceClaimTemplate,
}

/** The number of attempts until a kind counts as not served. */
const LONGEST_WAIT = 600

/** Creates the objects of a file under `examples/`. Retries, because a new definition may not be served immediately. */
export const applyExample = async (client: KubeClient, file: string, retry: () => Promise<void>): Promise<void> => {
  for (const document of parseAllDocuments(readFileSync(`${examples}${file}`, 'utf8'))) {
    const object = document.toJS() as KubeObject
    const kind = byKind[object.kind]
    if (kind === undefined) throw new Error(`${file}: no story needs a ${object.kind} yet`)
    for (let attempt = 1; ; attempt++) {
      try {
        await client.create(kind, object)
        break
      } catch (error) {
        if (!isNotFound(error) || attempt === LONGEST_WAIT) throw error
        await retry()
      }
    }
  }
}
