import { registerRoute } from '@kinvolk/headlamp-plugin/lib'
import { indexSnapshot } from '@kerf/engine'
registerRoute({ path: '/kerf', name: 'kerf', component: () => <div>{String(indexSnapshot)}</div> })
