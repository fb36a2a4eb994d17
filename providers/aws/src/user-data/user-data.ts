import type { AmiFamily } from '../node-class/ami-family.ts'
import { amazonLinux2UserData } from './amazon-linux-2.ts'
import { amazonLinux2023UserData } from './amazon-linux-2023.ts'
import type { Bootstrap } from './bootstrap.ts'
import { bottlerocketUserData } from './bottlerocket.ts'
import type { RenderedUserData } from './rendered-user-data.ts'
import { windowsUserData } from './windows.ts'

/**
 * The largest user data that EC2 accepts, before base64. Only EC2 enforces the limit. `launch/template-maker.ts` warns when user
 * data comes close to it.
 */
export const USER_DATA_LIMIT_BYTES = 16_384

export interface UserData {
  /** The form in the launch template. Absent if the user data is empty, which only happens with the family Custom. */
  readonly base64?: string
  /** The size as EC2 counts it. */
  readonly bytes: number
  /** Parts of the user's data that have no effect, each with a recommendation. */
  readonly remarks: readonly string[]
}

const renderUserData = (family: AmiFamily, bootstrap: Bootstrap): RenderedUserData => {
  switch (family) {
    case 'AL2':
      return amazonLinux2UserData(bootstrap)
    case 'AL2023':
      return amazonLinux2023UserData(bootstrap)
    case 'Bottlerocket':
      return bottlerocketUserData(bootstrap)
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return { text: windowsUserData(bootstrap), remarks: [] }
    case 'Custom':
      return { text: bootstrap.custom ?? '', remarks: [] }
  }
}

/**
 * Returns the user data that an instance of the family runs at boot (`providers/aws/docs/spec/aws.md#user-data`).
 *
 * @throws UserDataError for custom data that is not in the family's format.
 * @throws NodeClassNotReadyError for AL2023 without the service CIDR.
 */
export const buildUserData = (family: AmiFamily, bootstrap: Bootstrap): UserData => {
  const { text, remarks } = renderUserData(family, bootstrap)
  if (text === '') return { bytes: 0, remarks }
  const bytes = Buffer.from(text)
  return { base64: bytes.toString('base64'), bytes: bytes.length, remarks }
}
