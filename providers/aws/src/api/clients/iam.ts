// The exports of the IAM client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  IAMClient,
  paginateListInstanceProfiles,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam'
