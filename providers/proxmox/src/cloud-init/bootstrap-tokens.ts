import { createHash } from 'node:crypto'
import { formatTime, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { claimUid } from '@kerf/provider-kit'
import { type Clock, isAlreadyExists, isNotFound, type KubeClient, secretText } from '@kerf/runtime'
import { BOOTSTRAP_TOKEN_LABEL } from '../names.ts'
import { secretKind, secretValue, TOKEN_NAMESPACE } from './cluster-objects.ts'

/** The group of nodes that join with one of Kerf's tokens, in addition to `system:bootstrappers`. */
const BOOTSTRAP_GROUP = 'system:bootstrappers:karpenter:proxmox'
const LIFETIME: Milliseconds = 3_600_000
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

export interface BootstrapTokensDeps {
  readonly client: KubeClient
  readonly clock: Clock
}

/** Returns the ID of a NodeClaim's token, which is not secret. The ID is derived from the UID, so a NodeClaim never has two tokens. */
export const bootstrapTokenId = (claim: NodeClaim): string => {
  const digest = createHash('sha256').update(claimUid(claim)).digest()
  return [...digest.subarray(0, 6)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

const secretName = (id: string): string => `bootstrap-token-${id}`

/** The bootstrap tokens with which the kubelets of new guests join the cluster (`providers/proxmox/docs/spec/proxmox.md#cloud-init`). */
export class BootstrapTokens {
  readonly #deps: BootstrapTokensDeps

  constructor(deps: BootstrapTokensDeps) {
    this.#deps = deps
  }

  /** Returns a NodeClaim's token, which is valid for an hour. The token is a secret: never log it. */
  async issue(claim: NodeClaim, signal: AbortSignal): Promise<string> {
    const { client, clock } = this.#deps
    const id = bootstrapTokenId(claim)
    const expiration = formatTime(clock.now() + LIFETIME)
    const known = await this.#secretPart(id, signal)
    if (known !== undefined) {
      const body = { stringData: { expiration } }
      await client.patch(
        secretKind,
        { name: secretName(id), namespace: TOKEN_NAMESPACE },
        { type: 'merge', body },
        { signal },
      )
      return `${id}.${known}`
    }
    const secret = secretText(16, ALPHABET)
    try {
      await client.create(
        secretKind,
        {
          ...{ apiVersion: 'v1', kind: 'Secret', type: 'bootstrap.kubernetes.io/token' },
          metadata: { name: secretName(id), namespace: TOKEN_NAMESPACE, labels: { [BOOTSTRAP_TOKEN_LABEL]: 'true' } },
          stringData: {
            ...{ 'token-id': id, 'token-secret': secret, expiration, 'usage-bootstrap-authentication': 'true' },
            ...{ 'auth-extra-groups': BOOTSTRAP_GROUP, description: `NodeClaim ${claim.metadata.name}, by Kerf` },
          },
        },
        { signal },
      )
      return `${id}.${secret}`
    } catch (error) {
      // Another process has issued the token in the meantime.
      const other = isAlreadyExists(error) ? await this.#secretPart(id, signal) : undefined
      if (other === undefined) throw error
      return `${id}.${other}`
    }
  }

  /** Revokes the token of a NodeClaim, if there is one. */
  async revoke(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const ref = { name: secretName(bootstrapTokenId(claim)), namespace: TOKEN_NAMESPACE }
    try {
      await this.#deps.client.delete(secretKind, ref, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #secretPart(id: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const ref = { name: secretName(id), namespace: TOKEN_NAMESPACE }
      return secretValue(await this.#deps.client.get(secretKind, ref, { signal }), 'token-secret')
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}
