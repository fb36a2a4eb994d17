import { NoResponseError, type StepCause } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'
import { type FailureKind, kindOfError } from './failure-kind.ts'

/** Node's error codes for a certificate that no trusted authority has signed, or that belongs to another host. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'],
])

/** Returns the privilege and the path in an error such as `Permission check failed (/vms/100, VM.Clone)`. */
const missingPrivilege = (text: string): string | undefined => {
  const [, path, privilege] = /Permission check failed \(([^,()]+), ([A-Za-z.|]+)\)/.exec(text) ?? []
  return path === undefined ? undefined : `${privilege} on ${path}`
}

/** Returns the cause and the remedy of a failure. `problem` is the message of Proxmox or of the connection. */
const causeOfKind = (kind: FailureKind, problem: string): StepCause => {
  switch (kind) {
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Proxmox does not accept the credentials of the controller (${problem}); check token_id and token_secret in CLOUD_CONFIG`,
      }
    case 'privilege':
      return {
        reason: 'PrivilegeMissing',
        message: `the token of the controller lacks ${missingPrivilege(problem) ?? 'a privilege'} (${problem}); grant the role that "kerf proxmox roles" prints`,
      }
    case 'root-only':
      return {
        reason: 'PrivilegeMissing',
        message: `Proxmox lets only the user root@pam pin guests (${problem}); use this user with its password in CLOUD_CONFIG, or set NODE_POLICY to simple`,
      }
    case 'configuration':
      return {
        reason: 'RequestRefused',
        message: `Proxmox refuses a field of the node class (${problem}); correct the field that the message names`,
      }
    case 'full':
    case 'id-taken':
    case 'locked':
    case 'running':
    case 'not-found':
    case 'unreachable':
    case 'server':
    case 'other':
      return {
        isBrief: true,
        reason: 'ProxmoxUnavailable',
        message: `Proxmox does not answer (${problem}); Kerf asks again within a minute`,
      }
  }
}

/** Returns the cause and the remedy of a failed call. */
export const toStepCause = (error: unknown): StepCause => {
  if (error instanceof NoResponseError && UNTRUSTED.has(error.fault.code))
    return {
      reason: 'CertificateNotTrusted',
      message: `the certificate of Proxmox is not trusted (${error.fault.message}); name its authority in ca_file of CLOUD_CONFIG`,
    }
  return causeOfKind(kindOfError(error), error instanceof ProxmoxApiError ? error.message : textOfThrown(error))
}
