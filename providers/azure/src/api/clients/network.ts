export { NetworkManagementClient } from '@azure/arm-network'
