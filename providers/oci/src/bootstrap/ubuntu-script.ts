import { CreateError } from '@kerf/provider-contract'
import type { ClusterJoin } from './cluster-join.ts'
import { installCommand } from './community-user-data.ts'
import type { NodePlan } from './node-plan.ts'
import { type BootFile, ubuntuFiles } from './ubuntu-files.ts'

const FOLDER = '/etc/self-k8s'
const PRE_INSTALL = `${FOLDER}/kubelet-install.sh`
const INSTALL = `${FOLDER}/k8s-install.sh`

/** Returns a heredoc marker that differs from every line of the text. */
const endMarker = (text: string): string => {
  let marker = 'EOF'
  while (text.split('\n').includes(marker)) marker += 'F'
  return marker
}

const writeFile = ({ path, text }: BootFile): readonly string[] => {
  const marker = endMarker(text)
  return [`cat << '${marker}' > ${path}`, text, marker]
}

/**
 * Returns the boot script of a node of a self-managed cluster (`providers/oci/docs/spec/oci.md`). The class must have user data, because
 * the user data installs Kubernetes.
 *
 * @throws CreateError if the class has no user data.
 */
export const ubuntuScript = (
  plan: NodePlan,
  join: ClusterJoin,
  scripts: { readonly userData: string | undefined; readonly preInstallScript: string | undefined },
): string => {
  const { userData = '', preInstallScript = '' } = scripts
  if (userData === '')
    throw new CreateError(
      'UserDataMissing',
      `OciNodeClass ${plan.nodeClass.name} has imageFamily Ubuntu2204 and no spec.userData; write the script that installs Kubernetes`,
    )
  const preInstall =
    preInstallScript === ''
      ? []
      : [
          ...writeFile({ path: PRE_INSTALL, text: preInstallScript }),
          `bash ${PRE_INSTALL} > ${FOLDER}/kubelet-install.log`,
        ]
  return [
    '#!/bin/bash',
    `mkdir -p "${FOLDER}"`,
    'mkdir -p "/etc/kubernetes"',
    ...preInstall,
    ...writeFile({ path: INSTALL, text: userData }),
    ...ubuntuFiles(join).flatMap(writeFile),
    `${installCommand(INSTALL, plan, join)} \\\n> ${FOLDER}/k8s-install.log`,
    '',
  ].join('\n')
}
