// What is called of IAM. Named here so that a bundle leaves the rest of the client out.
export {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  IAMClient,
  paginateListInstanceProfiles,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam'
