import { formatTime, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isConflict, isNotFound, type Outcome, retry, retryAfter, source } from '@kerf/runtime'
import { approvalFor, requestedNode } from '../csr/approval.ts'
import { type CertificateSigningRequest, signingRequestKind } from '../csr/signing-request.ts'
import { claimInName } from '../instances/instance-names.ts'

const AGAIN: Milliseconds = 5_000

const isOpen = ({ status }: CertificateSigningRequest): boolean => (status?.conditions ?? []).length === 0

/**
 * Approves the certificates of kubelets on instances that Kerf launched (`providers/gcp/docs/spec/gcp.md#certificates-of-kubelets`). GKE
 * itself approves only certificates for instances in its node pools' instance groups.
 */
export const certificateApproval = ({
  client,
  informers,
  clock,
  log,
}: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'log'>): Controller => {
  const requests = informers.optional(signingRequestKind)
  const claims = informers.of(karpenterKinds.NodeClaim)
  const nodes = informers.of(kinds.Node)

  const approve = async (request: CertificateSigningRequest, signal: AbortSignal): Promise<void> => {
    const { name, resourceVersion } = request.metadata
    const condition = {
      ...{ type: 'Approved', status: 'True', reason: 'KerfAutoApprover' },
      message: 'the kubelet of an instance that Kerf launched',
      lastUpdateTime: formatTime(clock.now()),
    }
    const body = { metadata: { resourceVersion }, status: { conditions: [condition] } }
    await client.patch(signingRequestKind, { name }, { type: 'merge', body }, { subresource: 'approval', signal })
    log.info('approved the certificate of a kubelet', { CertificateSigningRequest: { name } })
  }

  return {
    name: 'certificate.approval',
    sources: [source(requests, ({ after }) => (after !== undefined && isOpen(after) ? [after.metadata.name] : []))],
    concurrency: 10,
    reconcile: async (name, signal): Promise<Outcome> => {
      const request = requests.get(name)
      if (request === undefined || !isOpen(request)) return done()
      const nodeName = requestedNode(request) ?? ''
      const claim = claims.get(claimInName(nodeName) ?? '')
      switch (approvalFor(request, { claim, node: nodes.get(nodeName) })) {
        case 'ignore':
          return done()
        case 'wait':
          return retryAfter(AGAIN)
        case 'approve':
          try {
            await approve(request, signal)
          } catch (error) {
            if (isConflict(error)) return retry()
            if (!isNotFound(error)) throw error
          }
          return done()
      }
    },
  }
}
