import { CreateError } from '@kerf/provider-contract'
import { apiServerHost, type ClusterJoin } from './cluster-join.ts'
import { oracleKubeletArgs } from './kubelet-args.ts'
import type { NodePlan } from './node-plan.ts'

/** Characters that Bash interprets between double quotes. */
const SPECIAL = /["\\$`]/g

const base64Text = (field: string, script: string | undefined, nodeClass: string): readonly string[] => {
  if (script === undefined || script === '') return []
  const plain = script.replaceAll(/\s/g, '')
  const bytes = Buffer.from(plain, 'base64')
  if (bytes.toString('base64').replaceAll('=', '') !== plain.replaceAll('=', ''))
    throw new CreateError(
      'ScriptNotBase64',
      `OCINodeClass ${nodeClass}: spec.${field} must be base64; encode the script, for example with base64 -w0`,
    )
  return [bytes.toString('utf8')]
}

/**
 * Returns the boot script of an OKE image for an OCINodeClass: OKE's install script between the two scripts of the class
 * (`providers/oci/docs/spec/oci.md`).
 *
 * @throws CreateError if one of the scripts is not base64.
 */
export const oracleScript = (
  plan: NodePlan,
  join: ClusterJoin,
  scripts: {
    readonly preBootstrapInitScript: string | undefined
    readonly postBootstrapInitScript: string | undefined
  },
): string => {
  const { name, kubelet } = plan.nodeClass
  const args = oracleKubeletArgs(plan).join(' ').replaceAll(SPECIAL, String.raw`\$&`)
  const install = [
    'bash /etc/oke/oke-install.sh',
    `--apiserver-endpoint "${apiServerHost(join)}"`,
    `--kubelet-ca-cert "${join.caBundle}"`,
    ...(kubelet.clusterDNS.length === 0 ? [] : [`--cluster-dns ${kubelet.clusterDNS.join(',')}`]),
    `--kubelet-extra-args " ${args}"`,
  ].join(' \\\n')
  return [
    '#!/usr/bin/env bash',
    ...base64Text('preBootstrapInitScript', scripts.preBootstrapInitScript, name),
    install,
    ...base64Text('postBootstrapInitScript', scripts.postBootstrapInitScript, name),
    '',
  ].join('\n')
}
