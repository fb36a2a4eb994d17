import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { causeOf } from '../failures/cause-of.ts'
import { hashAnnotations } from '../names.ts'
import { communityHash } from '../node-class/community-hash.ts'
import { type CommunityNodeClass, communityNodeClassKind } from '../node-class/community-node-class.ts'
import { communityConditions, oracleConditions } from '../node-class/conditions.ts'
import { oracleHash } from '../node-class/oracle-hash.ts'
import { type OracleNodeClass, oracleNodeClassKind } from '../node-class/oracle-node-class.ts'
import type { Compartments } from '../settings/oci-options.ts'
import { versionReader } from './cluster-version.ts'
import { communitySteps } from './community-steps.ts'
import type { CloudLookup } from './lookup.ts'
import { oracleSteps } from './oracle-steps.ts'

export interface NodeClassControllers {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly api: CloudLookup
  readonly compartments: Compartments
  readonly tagNamespace: string
  readonly defaultIpCount: number
}

const nothing = async (): Promise<void> => undefined

/** Returns the controllers that resolve node classes of both kinds and maintain their hashes. */
export const ociNodeClassControllers = ({
  context,
  api,
  compartments,
  tagNamespace,
  defaultIpCount,
}: NodeClassControllers): readonly Controller[] => {
  const clusterVersion = versionReader(context.client, context.clock)
  return [
    new NodeClassStatus<CommunityNodeClass>({
      ...{ context, kind: communityNodeClassKind, conditions: communityConditions, causeOf },
      steps: communitySteps({ api, compartments, tagNamespace }),
      finalizer: { name: 'karpenter.sh/termination', release: nothing },
    }).controller(),
    new NodeClassStatus<OracleNodeClass>({
      ...{ context, kind: oracleNodeClassKind, conditions: oracleConditions, causeOf, name: 'nodeclass.oracle' },
      steps: oracleSteps({ api, compartments, defaultIpCount, clusterVersion }),
      finalizer: { name: 'karpenter.sh/termination', release: nothing },
    }).controller(),
    nodeClassHashing<CommunityNodeClass>({
      ...{ context, kind: communityNodeClassKind, annotations: hashAnnotations.community, hash: communityHash },
    }),
    nodeClassHashing<OracleNodeClass>({
      ...{ context, kind: oracleNodeClassKind, annotations: hashAnnotations.oracle, hash: oracleHash },
      name: 'nodeclass.oracle.hash',
    }),
  ]
}
