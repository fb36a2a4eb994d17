import type { NodeFacts } from './node-facts.ts'
import { provisionVariables } from './provision-variables.ts'

/** Quotes any text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const LONGEST_WAIT_SECONDS = 1200

/**
 * Returns the custom data of a VM in the scriptless mode, in base64: a script that sets the variables that AKS images read, waits
 * until the image has unpacked its provisioning, and starts it (`providers/azure/docs/spec/azure.md#bootstrapping`). It contains the bootstrap
 * token, so it is a secret.
 */
export const customData = (facts: NodeFacts): string => {
  const script = [
    '#!/bin/bash',
    'set -o allexport',
    ...Object.entries(provisionVariables(facts)).map(([name, value]) => `${name}=${quoted(value)}`),
    '',
    '# What the provisioning waits for, and its extension would have made.',
    "echo '#EOF' >> /opt/azure/manifest.json",
    'mkdir -p /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events',
    'echo "$(date),$(hostname)" > /var/log/azure/cluster-provision-cse-output.log',
    'waited=0',
    'until grep -Fq EOF /opt/azure/containers/provision.sh; do',
    `  [ "$waited" -lt ${LONGEST_WAIT_SECONDS} ] || exit 100`,
    '  sleep 1',
    '  waited=$((waited + 1))',
    'done',
    '/usr/bin/nohup /bin/bash /opt/azure/containers/provision_start.sh',
  ]
  return Buffer.from(`${script.join('\n')}\n`, 'utf8').toString('base64')
}
