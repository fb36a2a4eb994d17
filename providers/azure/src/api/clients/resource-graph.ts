export { ResourceGraphClient } from '@azure/arm-resourcegraph'
