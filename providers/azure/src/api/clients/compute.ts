export { ComputeManagementClient } from '@azure/arm-compute'
